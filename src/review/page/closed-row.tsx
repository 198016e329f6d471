import type { JSX } from 'preact';
import type { Syntax } from '../../text/syntax.ts';
import type { Row } from '../protocol.ts';
import { type Chip, chipsOf } from './chips.ts';
import type { Controls } from './controls.ts';
import { valuesOf } from './decisions.ts';
import { wording } from './wording.ts';

interface RowProps {
  readonly controls: Controls;
  readonly row: Row;
}

export function ClosedRow({ controls, row }: RowProps): JSX.Element {
  const { store } = controls;
  const values = valuesOf(store, row);
  const open = (event: MouseEvent): void => {
    if (event.shiftKey) {
      event.preventDefault();
      return controls.selectTo(row.id);
    }
    controls.wantsFocus = true;
    store.current.value = row.id;
  };
  return (
    <div class="row">
      <RowHead controls={controls} row={row} onOpen={open} />
      {/* For keyboard users, the button in the head does the same. */}
      <div class="texts" onClick={open}>
        <div class="column">
          {row.forms.map((form, i) => (
            <Text key={i} text={form.source} syntax={form.syntax} locale={store.pack.value?.source ?? ''} />
          ))}
        </div>
        <div class="column">
          {row.forms.map((form, i) =>
            values[i] === '' ? (
              <p key={i} class="text none">
                {wording.noTranslation}
              </p>
            ) : (
              <Text key={i} text={values[i] ?? ''} syntax={form.syntax} locale={row.locale} />
            ),
          )}
        </div>
      </div>
    </div>
  );
}

export function RowHead({
  controls,
  row,
  onOpen,
}: RowProps & { readonly onOpen?: (event: MouseEvent) => void }): JSX.Element {
  const { store } = controls;
  const { path = '' } = store.pack.value?.files[row.file] ?? {};
  return (
    <div class="head">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={wording.select(row.key)}
        checked={store.selected.value.has(row.id)}
        onChange={() => controls.select(row.id)}
      />
      {onOpen ? (
        <button
          type="button"
          class="key"
          tabIndex={-1}
          aria-label={wording.openRow(row.key)}
          onClick={onOpen}
        >
          <bdi>{row.key}</bdi>
        </button>
      ) : (
        <h2 class="key">
          <bdi>{row.key}</bdi>
        </h2>
      )}
      <Badges controls={controls} row={row} />
      <span class="space" />
      <span class="place">
        <bdi>{`${path}:${row.line}`}</bdi>
      </span>
    </div>
  );
}

function Badges({ controls, row }: RowProps): JSX.Element {
  const { store } = controls;
  const outcome = store.outcomeOf(row.id);
  const findings = row.forms.flatMap((form) => form.findings);
  const errors = findings.filter(({ isError }) => isError).length;
  return (
    <span class="badges">
      {(store.pack.value?.locales.length ?? 0) > 1 && <Badge name={row.locale} />}
      <Badge kind={row.state} name={wording.states[row.state]} />
      {row.needsReview !== undefined && <Badge kind="needs" name={wording.reasons[row.needsReview]} />}
      {errors > 0 && <Badge kind="error" name={wording.finding({ message: '', isError: true })} />}
      {findings.length > errors && (
        <Badge kind="needs" name={wording.finding({ message: '', isError: false })} />
      )}
      {store.draftOf(row.id) && outcome?.kind !== 'saving' && <Badge kind="draft" name={wording.unsaved} />}
      {outcome?.kind === 'saving' && <Badge name={wording.saving} />}
      {outcome && outcome.kind !== 'saving' && <Badge kind="error" name={wording.outcomes[outcome.kind]} />}
    </span>
  );
}

function Badge({ kind = '', name }: { readonly kind?: string; readonly name: string }): JSX.Element {
  return <span class={`badge ${kind}`}>{name}</span>;
}

interface TextProps {
  readonly text: string;
  readonly syntax: Syntax;
  readonly locale: string;
  /** Turns placeholders into buttons. */
  readonly onChip?: (chip: Chip) => void;
}

/** A text with chips for syntax and invisible characters. */
export function Text({ text, syntax, locale, onChip }: TextProps): JSX.Element {
  const pieces: JSX.Element[] = [];
  let from = 0;
  for (const chip of chipsOf(text, syntax).chips) {
    if (chip.start > from) pieces.push(<span key={from}>{text.slice(from, chip.start)}</span>);
    pieces.push(<ChipView key={chip.start} chip={chip} onChip={onChip} />);
    from = chip.end;
  }
  pieces.push(<span key={from}>{text.slice(from)}</span>);
  return (
    <p class="text" lang={locale} dir={directionOf(locale)}>
      {pieces}
    </p>
  );
}

function ChipView({
  chip,
  onChip,
}: {
  readonly chip: Chip;
  readonly onChip: TextProps['onChip'];
}): JSX.Element {
  const { kind, label, raw } = chip;
  const title = label === raw ? undefined : raw;
  const name = `chip ${kind}`;
  if (!onChip || kind === 'choice')
    return (
      <bdi class={name} dir="ltr" translate={false} title={kind === 'character' ? undefined : title}>
        {label}
      </bdi>
    );
  return (
    <button
      type="button"
      class={name}
      dir="ltr"
      translate={false}
      tabIndex={-1}
      title={wording.insert(kind === 'character' ? label : raw)}
      onClick={() => onChip(chip)}
    >
      {label}
    </button>
  );
}

const RIGHT_TO_LEFT = new Set([
  'Adlm',
  'Arab',
  'Hebr',
  'Mand',
  'Mend',
  'Nkoo',
  'Rohg',
  'Samr',
  'Syrc',
  'Thaa',
]);

/**
 * The direction of a language's texts. Those of a right-to-left language start on the right, even if
 * their first word is left-to-right.
 */
export function directionOf(locale: string): 'rtl' | 'auto' {
  try {
    return RIGHT_TO_LEFT.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'auto';
  } catch {
    return 'auto';
  }
}
