import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { RowForm, Row } from '../protocol.ts';
import { lengthOf } from '../../text/length-limit.ts';
import type { Chip } from './chips.ts';
import { directionOf, RowHead, Text } from './closed-row.tsx';
import type { Controls } from './controls.ts';
import { createChipEditor, createPlainEditor } from './editor.ts';
import {
  Fact,
  ScreenshotList,
  Similar,
  SourceChanges,
  TermList,
  useRowContext,
  useSelectedSource,
} from './row-context.tsx';
import { Trouble } from './trouble.tsx';
import { wording } from './wording.ts';

interface RowProps {
  readonly controls: Controls;
  readonly row: Row;
}

/** The current row: its fields, and everything that helps to fill them in. */
export function OpenRow({ controls, row }: RowProps): JSX.Element {
  const { store } = controls;
  const card = useRef<HTMLDivElement>(null);
  const generation = controls.generation.value;
  const bases = row.forms.map(({ base }) => base).join(' ');
  const shown = useRef({ id: row.id, bases });
  useLayoutEffect(() => {
    // Another person may have changed the texts meanwhile.
    const isChanged = shown.current.id === row.id && shown.current.bases !== bases;
    shown.current = { id: row.id, bases };
    if (isChanged) return controls.refresh();
    controls.show(row);
    controls.takeFocus();
    return undefined;
  }, [controls, row.id, bases, generation]);
  useEffect(() => {
    if (card.current) bringIntoView(card.current);
  }, [row.id]);
  useRowContext(store, row);
  useSelectedSource(store, row);
  const last = row.forms.length - 1;
  return (
    <div class="row open" ref={card}>
      <RowHead controls={controls} row={row} />
      <Trouble controls={controls} row={row} />
      {row.forms.map((form, i) => (
        <div class="texts" key={form.category ?? i}>
          <div class="column">
            {form.category !== undefined && (
              <p class="form">{wording.formFor(form.category, form.examples ?? [])}</p>
            )}
            <Text
              text={form.source}
              syntax={form.syntax}
              locale={store.pack.value?.source ?? ''}
              onChip={(chip) => {
                controls.focused(i);
                controls.insert(chip);
              }}
            />
            {i === last && <Facts controls={controls} row={row} />}
          </div>
          <div class="column">
            <Field key={`${row.id} ${generation}`} controls={controls} row={row} form={form} index={i} />
            {i === last && <Actions controls={controls} row={row} />}
            {i === last && <Similar controls={controls} row={row} />}
          </div>
        </div>
      ))}
    </div>
  );
}

/** Pixels of the neighbouring rows that stay visible. */
const MARGIN = 72;

/** Scrolls as little as possible. If a row is higher than the list, its start is visible. */
function bringIntoView(card: HTMLElement): void {
  const list = card.closest('.scroller');
  if (!list) return;
  const [row, view] = [card.getBoundingClientRect(), list.getBoundingClientRect()];
  const above = row.top - view.top - MARGIN;
  const below = row.bottom - view.bottom + MARGIN;
  if (above < 0) list.scrollTop += above;
  else if (below > 0) list.scrollTop += Math.min(above, below);
}

interface FieldProps extends RowProps {
  readonly form: RowForm;
  readonly index: number;
}

function Field({ controls, row, form, index }: FieldProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const isPlain = controls.isPlain.value;
  useLayoutEffect(() => {
    const parent = host.current;
    if (!parent) return undefined;
    const create = isPlain ? createPlainEditor : createChipEditor;
    const { store } = controls;
    return controls.addEditor(
      index,
      create(parent, {
        value: store.drafts.get(row.id)?.values[index] ?? form.translation ?? '',
        syntax: form.syntax,
        label: wording.translationOf(row.key, form.category),
        locale: row.locale,
        direction: directionOf(row.locale),
        nonce: controls.nonce,
        onChange: (value) => controls.type(row, index, value),
        onFocus: () => controls.focused(index),
        onKey: (event) => controls.press(event, 'editor'),
        onTyped: (character) => controls.typed(row, index, character),
      }),
    );
    // Other changes do not recreate the field, which stores the typed text.
  }, [isPlain]);
  const value = controls.values.value[index] ?? '';
  const findings = controls.findings.value[index] ?? [];
  const length = row.limit && lengthOf(value, row.limit, row.forms[index]?.syntax ?? 'plain');
  return (
    <div class="field" ref={host}>
      <Choices controls={controls} isHere={index === controls.focusedForm} />
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map(({ message, isError }) => (
            <li key={message} class={isError ? 'error' : 'warning'}>
              <strong>{wording.finding({ message, isError })}:</strong> {message}
            </li>
          ))}
        </ul>
      )}
      {row.limit && length !== undefined && (
        <p class={length > row.limit.max ? 'length over' : 'length'}>{wording.lengthOf(length, row.limit)}</p>
      )}
    </div>
  );
}

/** The placeholders that can be inserted by number. */
function Choices({
  controls,
  isHere,
}: {
  readonly controls: Controls;
  readonly isHere: boolean;
}): JSX.Element | null {
  const choice = controls.choice.value;
  if (!choice || !isHere) return null;
  const choose = (chip: Chip) => (event: MouseEvent) => {
    // Keeps the focus in the field.
    event.preventDefault();
    controls.insert(chip);
  };
  return (
    <div class="choices" role="group" aria-label={wording.placeholders}>
      {choice.chips.map((chip, i) => (
        <button
          key={chip.raw}
          type="button"
          tabIndex={-1}
          class={i === choice.at ? 'chosen' : ''}
          onMouseDown={choose(chip)}
        >
          <kbd>{i < 9 ? i + 1 : ' '}</kbd> <bdi class={`chip ${chip.kind}`}>{chip.label}</bdi>
        </button>
      ))}
    </div>
  );
}

function Actions({ controls, row }: RowProps): JSX.Element {
  const isChanged = controls.store.draftOf(row.id) !== undefined;
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={() => controls.act('confirm')}>
        {isChanged ? wording.save : wording.approve}
      </button>
      <button type="button" onClick={() => controls.act('rejected')}>
        {wording.reject}
      </button>
      <button type="button" onClick={() => controls.act('needs-review')}>
        {wording.needsReview}
      </button>
      <button type="button" onClick={() => controls.act('copy-source')}>
        {wording.copySource}
      </button>
      {controls.store.source.addTerm && (
        <button type="button" onClick={() => controls.act('term')}>
          {wording.termTitle}…
        </button>
      )}
      {isChanged && (
        <button type="button" onClick={() => controls.revert(row)}>
          {wording.revert}
        </button>
      )}
    </div>
  );
}

/** The known facts about the text. */
function Facts({ controls, row }: RowProps): JSX.Element {
  const { comment, provenance, decision } = row;
  const note = decision?.note;
  return (
    <dl class="facts">
      {comment !== undefined && <Fact name={wording.comment}>{comment}</Fact>}
      <TermList controls={controls} />
      <SourceChanges row={row} context={controls.store.context.value} />
      <ScreenshotList store={controls.store} />
      {note !== undefined && decision && (
        <Fact name={`${wording.note} ${wording.decidedBy(decision.by)}`}>{note}</Fact>
      )}
      {provenance && <Fact name={wording.writer}>{wording.writtenBy(provenance)}</Fact>}
    </dl>
  );
}
