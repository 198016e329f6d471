import type { JSX } from 'preact';
import type { Row } from '../protocol.ts';
import { Text } from './closed-row.tsx';
import type { Controls } from './controls.ts';
import type { Draft } from './store.ts';
import { wording } from './wording.ts';

interface RowProps {
  readonly controls: Controls;
  readonly row: Row;
}

/** Why the last answer about a row was not saved, and what to do. */
export function Trouble({ controls, row }: RowProps): JSX.Element | null {
  const { store } = controls;
  const outcome = store.outcomeOf(row.id);
  switch (outcome?.kind) {
    case 'conflict':
      return <Conflict controls={controls} row={row} draft={outcome.draft} />;
    case 'refused':
      return (
        <div class="trouble" role="alert">
          <strong>{wording.refused}</strong> {outcome.reasons.join('; ')}
        </div>
      );
    case 'stale':
      return (
        <div class="trouble" role="alert">
          {wording.stale}{' '}
          <button type="button" onClick={() => controls.lookAgain(row)}>
            {wording.lookAgain}
          </button>
        </div>
      );
    case 'foreign':
      return (
        <div class="trouble" role="alert">
          {wording.foreign}
        </div>
      );
    case 'saving':
    case undefined:
    default:
      return null;
  }
}

/** Shows three texts: the user's, the other one, and the original. */
function Conflict({ controls, row, draft }: RowProps & { readonly draft: Draft }): JSX.Element {
  const now = row.forms.map(({ translation }) => translation ?? '');
  const before = draft.row.forms.map(({ translation }) => translation ?? '');
  const column = (name: string, texts: readonly string[]): JSX.Element => (
    <div class="column">
      <h3>{name}</h3>
      {texts.map((text, i) =>
        text === '' || !row.forms[i] ? (
          <p key={i} class="text none">
            {wording.noTranslation}
          </p>
        ) : (
          <Text key={i} text={text} syntax={row.forms[i].syntax} locale={row.locale} />
        ),
      )}
    </div>
  );
  return (
    <div class="trouble conflict" role="alert">
      <strong>{wording.conflict}</strong>
      <div class="texts">
        {column(wording.mine, draft.values)}
        {column(wording.theirs, now)}
        {column(wording.base, before)}
      </div>
      <button type="button" class="primary" onClick={() => controls.settleConflict(row, true)}>
        {wording.keepMine}
      </button>{' '}
      <button type="button" onClick={() => controls.settleConflict(row, false)}>
        {wording.takeTheirs}
      </button>
    </div>
  );
}
