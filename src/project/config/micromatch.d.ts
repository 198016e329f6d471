/** The parts of micromatch that are used: the package has no types. */
declare module 'micromatch' {
  interface Micromatch {
    /** The regular expression of a pattern. @throws SyntaxError for an invalid one, with `debug`. */
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
