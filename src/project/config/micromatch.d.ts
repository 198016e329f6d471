/** The used part of micromatch, which ships no types. */
declare module 'micromatch' {
  interface Micromatch {
    /** The regular expression for a pattern. @throws SyntaxError for an invalid one, with `debug` */
    makeRe(pattern: string, options: Readonly<Record<string, boolean>>): RegExp;
    /**
     * Expands the braces of a pattern.
     *
     * @throws RangeError
     */
    braces(pattern: string, options: Readonly<Record<string, boolean>>): string[];
  }
  const micromatch: Micromatch;
  export default micromatch;
}
