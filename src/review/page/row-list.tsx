import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { Controls } from './controls.ts';
import { OpenRow } from './open-row.tsx';
import { ClosedRow } from './closed-row.tsx';
import { wording } from './wording.ts';

/** The height in pixels of a closed row with single-line texts. */
const ROW_HEIGHT = 72;

/** The rows that match the filter. Only those near the visible part are in the document. */
export function RowList({ controls }: { readonly controls: Controls }): JSX.Element {
  const { store } = controls;
  const scroller = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const shown = store.shown.value;
  const current = store.current.value;
  void store.revision.value;
  const open = store.currentIndex();
  const options = {
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index: number) => store.shownRow(index)?.id ?? index,
    overscan: 8,
    // The open row keeps its fields and their focus, however far the user scrolls.
    rangeExtractor: (range: Range) => {
      const near = defaultRangeExtractor(range);
      return open < 0 || near.includes(open) ? near : [...near, open].sort((a, b) => a - b);
    },
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLDivElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useEffect(() => {
    controls.focusList = () => scroller.current?.focus();
  }, [controls]);
  useEffect(() => {
    controls.show(store.currentRow());
    const index = store.currentIndex();
    // A nearby row scrolls itself into view.
    const { startIndex, endIndex } = virtualizer.calculateRange() ?? { startIndex: 0, endIndex: -1 };
    const isNear = startIndex - options.overscan <= index && index <= endIndex + options.overscan;
    if (index >= 0 && !isNear) virtualizer.scrollToIndex(index, { align: 'center' });
  }, [controls, store, virtualizer, current, shown]);

  if (shown.length === 0) return <p class="empty">{wording.emptyList}</p>;
  return (
    <div class="scroller" ref={scroller} tabIndex={0} role="region" aria-label={wording.list}>
      <div role="list" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = store.shownRow(index);
          if (!row) return null;
          const isCurrent = row.id === current;
          return (
            <div
              key={key}
              role="listitem"
              aria-setsize={shown.length}
              aria-posinset={index + 1}
              aria-current={isCurrent ? 'true' : undefined}
              data-index={index}
              ref={virtualizer.measureElement}
              class="item"
              style={{ transform: `translateY(${start}px)` }}
            >
              {isCurrent ? (
                <OpenRow controls={controls} row={row} />
              ) : (
                <ClosedRow controls={controls} row={row} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
