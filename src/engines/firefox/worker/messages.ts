/** A file of a model set on the disk. It is loaded only if it still is what was installed. */
export interface ModelFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256, in lower-case hexadecimal. */
  readonly sha256: string;
}

/** What one direction needs. */
export interface ModelFiles {
  readonly model: ModelFile;
  /** Which words a translation may be made of, word by word of the source. */
  readonly shortlist?: ModelFile | undefined;
  /** One for both languages, or one each. */
  readonly vocabularies: readonly ModelFile[];
}

/** What a worker is started with. */
export interface ModelWorkerData {
  readonly files: ModelFiles;
  /** The most that the module may allocate. */
  readonly memoryMegabytes: number;
}

/** A text to translate; with `html`, markup that is aligned with the words around it. */
export interface ModelText {
  readonly text: string;
  readonly html: boolean;
}

export interface ModelProtocol {
  readonly settings: ModelWorkerData;
  /** With the compiled module, which all workers of a process share. */
  readonly request: { readonly module: object; readonly texts: readonly ModelText[] };
  /** Of each text its translation, in order. */
  readonly result: readonly string[];
  readonly note: never;
  readonly question: never;
  readonly answer: never;
}
