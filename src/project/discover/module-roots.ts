import { addTo } from '../../base/map-of-lists.ts';
import { sharesMost } from '../../frameworks/layout.ts';
import { headOf, pathsOf, type FileSet } from './layout.ts';

/**
 * Merges the sets of one module in several roots if only one has the source, because generated files, or translations,
 * are kept apart from the others. Translations are written to the root that has most of the translations.
 */
export function joinRoots(root: string, sets: readonly FileSet[], sourceLocale: string): readonly FileSet[] {
  const hasSource = ({ base, members }: FileSet): boolean => base !== undefined || members.has(sourceLocale);
  const groups = new Map<string | undefined, FileSet[]>();
  for (const set of sets) {
    const { parts, layout } = set.template;
    const id = layout.root?.test(parts[0] ?? '') ? parts.join('\0').replace(layout.root, '') : undefined;
    addTo(groups, id, set);
  }
  return [...groups].flatMap(([id, all]) => {
    if (id === undefined || all.length === 1) return all;
    const group = withSameTexts(root, all, hasSource);
    const [first, ...others] = group.filter(hasSource);
    if (!first || others.length > 0) return all;
    const countOf = ({ members }: FileSet): number => members.size - (members.has(sourceLocale) ? 1 : 0);
    const [largest = first] = [first, ...group].sort((a, b) => countOf(b) - countOf(a));
    const members = new Map(group.toReversed().flatMap((set) => [...set.members]));
    const joined = { ...largest, ...(first.base !== undefined && { base: first.base }), members };
    return [...all.filter((set) => !group.includes(set)), joined];
  });
}

/**
 * The sets of one module, if their path does not show it, as with `config/locales/de.yml` of any gem: the translations
 * without a source, and the only source without translations that has most of their texts.
 */
function withSameTexts(
  root: string,
  group: readonly FileSet[],
  hasSource: (set: FileSet) => boolean,
): readonly FileSet[] {
  const { textNames } = group[0]?.template.layout ?? {};
  if (!textNames) return group;
  const [translations] = group
    .filter((set) => !hasSource(set))
    .sort((a, b) => b.members.size - a.members.size);
  if (!translations) return [];
  const namesIn = (set: FileSet): ReadonlySet<string> => textNames(headOf(root, pathsOf(set)[0] ?? ''));
  const own = namesIn(translations);
  const sources = group.filter(
    (set) => hasSource(set) && set.members.size === 1 && sharesMost(own, namesIn(set)),
  );
  return sources.length === 1 ? [translations, ...sources] : [];
}
