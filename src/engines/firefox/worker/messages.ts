/** A file of a model on disk. It is loaded only if it is unchanged since installation. */
export interface ModelFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256, in lower-case hexadecimal. */
  readonly sha256: string;
}

/** The files for one direction. */
export interface ModelFiles {
  readonly model: ModelFile;
  /** The words that a translation may use for each word of the source. */
  readonly shortlist?: ModelFile | undefined;
  /** One vocabulary for both languages, or one for each. */
  readonly vocabularies: readonly ModelFile[];
}

/** The data for starting a worker. */
export interface ModelWorkerData {
  readonly files: ModelFiles;
  /** The memory limit of the module. */
  readonly memoryMegabytes: number;
}

/** A text to translate; with `html`, its markup is aligned with the words around it. */
export interface ModelText {
  readonly text: string;
  readonly html: boolean;
}

export interface ModelProtocol {
  readonly settings: ModelWorkerData;
  /** A request includes the compiled module, which all workers of a process share. */
  readonly request: { readonly module: object; readonly texts: readonly ModelText[] };
  /** The translation of each text, in order. */
  readonly result: readonly string[];
  readonly note: never;
  readonly question: never;
  readonly answer: never;
}
