import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Row, RowContext } from '../protocol.ts';
import { compareWords } from './changes.ts';
import { Text } from './closed-row.tsx';
import type { Controls } from './controls.ts';
import type { ReviewStore } from './store.ts';
import { isAmong } from './terms.ts';
import { wording } from './wording.ts';

/**
 * Milliseconds before the context of an open row is requested, so that moving quickly through rows does not cause
 * requests.
 */
const DELAY = 200;

/** Requests the context of the current row, which arrives later than the row. */
export function useRowContext(store: ReviewStore, { id, forms }: Row): void {
  const sources = forms.map(({ sourceHash }) => sourceHash).join(' ');
  // Done before the next paint and key, so that the row never has the previous row's context.
  useLayoutEffect(() => {
    store.context.value = {};
  }, [store, id, sources]);
  useEffect(() => {
    let isLeft = false;
    const timer = setTimeout(async () => {
      // Without a context, the row can still be edited.
      const found = await store.source.context(id).catch(() => undefined);
      if (!isLeft && found) store.context.value = found;
    }, DELAY);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [store, id, sources]);
}

/** Remembers words selected in the source, because selecting words in the translation ends that selection. */
export function useSelectedSource(store: ReviewStore, { id }: Row): void {
  useEffect(() => {
    store.selectedSource = '';
    const note = (): void => {
      const selection = document.getSelection();
      const element = selection?.anchorNode?.parentElement?.closest(
        '.row.open .texts > :first-child > .text',
      );
      if (selection && element) store.selectedSource = selection.toString();
    };
    document.addEventListener('selectionchange', note);
    return () => document.removeEventListener('selectionchange', note);
  }, [store, id]);
}

export function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

/** How the source has changed since the translation was made. */
export function SourceChanges({
  row,
  context,
}: {
  readonly row: Row;
  readonly context: RowContext;
}): JSX.Element {
  const { sourceBefore, comment = '' } = row;
  return (
    <>
      {row.forms.map((form, i) => {
        const isLast = i === row.forms.length - 1;
        // After an approval, the translation belongs to the current source.
        const before = form.madeOf === undefined ? undefined : context.before?.[i];
        const text = before?.text ?? (isLast ? sourceBefore : undefined);
        const isUnknown = form.madeOf !== undefined && text === undefined && context.before !== undefined;
        return (
          <>
            {text !== undefined && text !== form.source && (
              <Fact key={`${i} text`} name={wording.sourceWas}>
                <Difference before={text} after={form.source} />
              </Fact>
            )}
            {before && isLast && (before.comment ?? '') !== comment && (
              <Fact key={`${i} comment`} name={wording.commentWas}>
                <Difference before={before.comment ?? ''} after={comment} />
              </Fact>
            )}
            {isUnknown && (
              <Fact key={`${i} unknown`} name={wording.sourceWas}>
                {wording.sourceUnknown}
              </Fact>
            )}
          </>
        );
      })}
    </>
  );
}

/** The terms of the row; those that the translation lacks are marked. */
export function TermList({ controls }: { readonly controls: Controls }): JSX.Element | null {
  const { terms = [] } = controls.store.context.value;
  if (terms.length === 0) return null;
  const missing = controls.missingTerms.value.flat();
  return (
    <div>
      <dt>{wording.terms}</dt>
      {terms.map((term) => {
        const { translations, note } = term;
        const isMissing = isAmong(term, missing);
        return (
          <dd key={term.term} class={isMissing ? 'term missing' : 'term'}>
            <bdi>{term.term}</bdi> →{' '}
            <bdi>{translations.length > 0 ? translations.join(', ') : wording.keptName}</bdi>
            {isMissing && <strong> {wording.termMissing}</strong>}
            {note !== undefined && <span class="quiet"> {note}</span>}
          </dd>
        );
      })}
    </div>
  );
}

/** Pictures of places that show the text. */
export function ScreenshotList({ store }: { readonly store: ReviewStore }): JSX.Element | null {
  const { screenshots = [] } = store.context.value;
  if (screenshots.length === 0) return null;
  return (
    <div>
      <dt>{wording.screenshots}</dt>
      {screenshots.map((name) => (
        <dd key={name}>
          <Screenshot store={store} name={name} />
        </dd>
      ))}
    </div>
  );
}

/** A picture, small at first, with a button that enlarges it to the whole page. */
function Screenshot({ store, name }: { readonly store: ReviewStore; readonly name: string }): JSX.Element {
  const [address, setAddress] = useState<string | undefined>(undefined);
  const [isLarge, setIsLarge] = useState(false);
  useEffect(() => {
    let made: string | undefined;
    let isLeft = false;
    const load = async (): Promise<void> => {
      const picture = await store.source.screenshot(name).catch(() => undefined);
      if (!picture || isLeft) return;
      made = URL.createObjectURL(picture);
      setAddress(made);
    };
    void load();
    return () => {
      isLeft = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [store, name]);
  return (
    <button
      type="button"
      class={isLarge ? 'screenshot large' : 'screenshot'}
      aria-expanded={isLarge}
      onClick={() => setIsLarge(!isLarge)}
    >
      {address === undefined ? <bdi>{name}</bdi> : <img src={address} alt={wording.screenshotOf(name)} />}
    </button>
  );
}

export function Difference({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}): JSX.Element {
  return (
    <>
      {compareWords(before, after).map(({ kind, text }, i) =>
        kind === 'same' ? (
          <span key={i}>{text}</span>
        ) : kind === 'added' ? (
          <ins key={i}>{text}</ins>
        ) : (
          <del key={i}>{text}</del>
        ),
      )}
    </>
  );
}

/** Texts in the memory that are similar to the source of the focused field. */
export function Similar({
  controls,
  row,
}: {
  readonly controls: Controls;
  readonly row: Row;
}): JSX.Element | null {
  const { focusedForm, store } = controls;
  const form = row.forms[focusedForm];
  const texts = store.context.value.similar?.[focusedForm] ?? [];
  if (!form || texts.length === 0) return null;
  return (
    <section class="similar" aria-label={wording.similar}>
      <h3>{wording.similar}</h3>
      <ol>
        {texts.map(({ source, translation, similarity }) => (
          <li key={`${source}\n${translation}`}>
            <span class="badge">{wording.match(similarity)}</span>
            <div>
              <p class="quiet" dir="auto" lang={store.pack.value?.source ?? ''}>
                <Difference before={source} after={form.source} />
              </p>
              <Text text={translation} syntax={form.syntax} locale={row.locale} />
            </div>
            <button
              type="button"
              aria-label={wording.useSimilar(translation)}
              onClick={() => controls.replaceText(translation)}
            >
              {wording.use}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
