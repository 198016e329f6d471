import type { Ids } from './ids.ts';
import { SHARED } from './rank.ts';
import type { EntryChoice } from './stored-memory.ts';

/** A condition on rows of `translations as t`, and what it is given. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** No project has this number. */
const NONE = -1;

/** The condition that a choice of entries is; all rows without one. */
export function conditionOf(choice: EntryChoice, ids: Ids): Condition {
  const { source, target, origin, engine, project } = choice;
  const conditions: string[] = ['true'];
  const parameters: (string | number)[] = [];
  const add = (sql: string, parameter: string | number): void => {
    conditions.push(sql);
    parameters.push(parameter);
  };
  if (source !== undefined) add('t.pair in (select id from pairs where source = ?)', source);
  if (target !== undefined) add('t.pair in (select id from pairs where target = ?)', target);
  if (origin !== undefined) add('t.is_human = ?', origin === 'human' ? 1 : 0);
  if (engine !== undefined) add('t.engine = (select id from engines where name = ?)', engine);
  if (project !== undefined) {
    ids.lookAgain();
    add('t.project = ?', project === null ? SHARED : (ids.findProject(project) ?? NONE));
  }
  return { sql: conditions.join(' and '), parameters };
}
