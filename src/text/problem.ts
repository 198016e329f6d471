/** A defect of a translation, or of a message by itself. */
export interface MessageProblem {
  readonly rule:
    | 'placeholder-mismatch'
    | 'icu-syntax'
    | 'missing-other'
    | 'plural-categories'
    | 'tag-mismatch'
    | 'double-escaped';
  /** One sentence for the user, naming the placeholder, tag or category. */
  readonly detail: string;
}
