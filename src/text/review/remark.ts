/** A reviewer's remark on a message that a person wrote. */
export interface Remark {
  readonly rule:
    | 'placeholder-mismatch'
    | 'icu-syntax'
    | 'missing-other'
    | 'plural-categories'
    | 'unused-category'
    | 'number-left-out'
    | 'select-added'
    | 'tag-mismatch'
    | 'markup-changed'
    | 'link-mismatch'
    | 'too-long'
    | 'blank-text'
    | 'double-escaped';
  /** One sentence for the user that names the placeholder, tag or category. */
  readonly detail: string;
  /** The argument that is missing, or that the source lacks and a program may pass by its name. */
  readonly argument?: { readonly raw: string; readonly isAdded: boolean };
  /** The program that reads the text may ignore this defect. Default: the defect matters. */
  readonly isDoubtful?: true;
}

/** Rules whose remarks do not make a translation invalid. */
export const HARMLESS: ReadonlySet<Remark['rule']> = new Set([
  'number-left-out',
  'unused-category',
  'select-added',
  'markup-changed',
  'too-long',
]);

export function mismatchRemark(detail: string): Remark {
  return { rule: 'placeholder-mismatch', detail };
}

/** The branches of a message often have the same defect. */
export function distinct(remarks: readonly Remark[]): readonly Remark[] {
  const seen = new Set<string>();
  return remarks.filter(({ rule, detail }) => {
    const id = `${rule}\n${detail}`;
    return !seen.has(id) && seen.add(id);
  });
}
