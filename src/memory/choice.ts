import type { EntryChoice } from './stored-memory.ts';

/** A condition on rows of `translations as t`, and what it is given. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** The condition that a choice of entries is; all rows without one. */
export function conditionOf({ source, target, origin, engine }: EntryChoice): Condition {
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
  return { sql: conditions.join(' and '), parameters };
}
