import { conditionOf } from './choice.ts';
import type { Ids } from './ids.ts';
import type { MemoryFile } from './memory-file.ts';
import type { PruneChoice } from './stored-memory.ts';

/** Notes down in `temp.doomed` what is to go, the longest unused first. */
export function chooseUnwanted(choice: PruneChoice, file: MemoryFile, ids: Ids): void {
  const { unusedSince, mostEntries, origin, project, ...others } = choice;
  const whose = origin ?? (project === undefined ? 'machine' : undefined);
  const { sql, parameters } = conditionOf({ ...others, project, origin: whose }, ids);
  const unused = unusedSince === undefined ? 'true' : 't.used < ?';
  const most = mostEntries === undefined ? 0 : Math.max(0, mostEntries);
  file.run(
    `insert into temp.doomed (message, pair, project, context, is_human, used)
     select message, pair, project, context, is_human, used from (
       select message, pair, project, context, is_human, used, changed from translations as t where ${sql}
       order by used desc, changed desc, message desc, pair, project, context limit -1 offset ?
     ) as t where ${unused}`,
    [...parameters, most, ...(unusedSince === undefined ? [] : [unusedSince.getTime()])],
  );
}
