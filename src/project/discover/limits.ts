import type { LengthLimit } from '../../text/length-limit.ts';
import type { LimitRule } from '../config/configuration.ts';
import { compileGlob, matchesKey } from '../config/glob.ts';
import type { Resource } from './resource.ts';

/** The limits of a source file and its translations; undefined if no rule is about the file. */
export function limitsOfFile(rules: readonly LimitRule[], path: string): Resource['limitOf'] {
  const own = rules
    .filter(({ files }) => files?.some((glob) => compileGlob(glob).matches(path)) ?? true)
    .map(({ keys, max, unit = 'characters' }): [readonly string[] | undefined, LengthLimit] => [
      keys,
      { max, unit },
    ]);
  if (own.length === 0) return undefined;
  return (key) => {
    const name = key.join('.');
    return own.find(([keys]) => keys?.some((pattern) => matchesKey(pattern, name)) ?? true)?.[1];
  };
}
