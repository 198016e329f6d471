/** A key that a reader of YAML 1.1 takes for a boolean where it stands without quotes. */
export interface BooleanKey {
  readonly name: string;
  readonly meaning: boolean;
  /** Without quotes and tag. */
  readonly plain: boolean;
  /** Among the keys of its map. */
  readonly index: number;
}

/** The boolean keys of each map that has some, by the map's key as JSON. */
export type BooleanKeys = ReadonlyMap<string, readonly BooleanKey[]>;

const TRUE = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;

export function booleanOf(name: string): boolean | undefined {
  if (name.length > 5) return undefined;
  if (TRUE.test(name)) return true;
  return FALSE.test(name) ? false : undefined;
}

/**
 * The names of a translation's keys, those that a reader of YAML 1.1 takes for a key of the source under its name there:
 * `yes:` written by a program that has read it is `true:`. A source that has several words for one boolean means
 * different texts by them, and two quoted words are different texts to every reader: these keep their names.
 *
 * @param own the boolean keys among the names
 * @param theirs those of the same map in the source
 */
export function nameLikeSource(
  names: readonly string[],
  own: readonly BooleanKey[],
  theirs: readonly BooleanKey[],
): readonly string[] {
  const renamed = [...names];
  for (const meaning of [true, false]) {
    const [wanted, ...others] = theirs.filter((key) => key.meaning === meaning);
    if (!wanted || others.some(({ name }) => name !== wanted.name)) continue;
    // The source's own word comes first: the other one must not take its place.
    const first = names.indexOf(wanted.name);
    for (const { index, plain, meaning: ownMeaning } of own)
      if (ownMeaning === meaning && index > first && (plain || wanted.plain)) renamed[index] = wanted.name;
  }
  return renamed;
}
