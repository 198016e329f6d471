/** The used part of cosmiconfig, whose own types only declare the function `cosmiconfig`. */
declare module 'cosmiconfig/dist/Explorer.js' {
  interface Found<Config> {
    readonly filepath: string;
    readonly config?: Config;
    /** Whether the file is empty, in which case the loader is not called. */
    readonly isEmpty?: boolean;
  }

  interface ExplorerOptions<Config> {
    /** The key in package.json. */
    readonly moduleName: string;
    readonly searchPlaces: readonly string[];
    /** `none`: searches one directory only. */
    readonly searchStrategy: 'none';
    /** By extension; `noExt` for names without one. */
    readonly loaders: Readonly<Record<string, (path: string, content: string) => unknown>>;
    readonly transform: (result: Found<Config> | null) => Found<Config> | null;
    readonly ignoreEmptySearchPlaces: boolean;
    /** Null to read no settings for the search itself. */
    readonly metaConfigFilePath: null;
    readonly cache: boolean;
  }

  export class Explorer<Config> {
    constructor(options: ExplorerOptions<Config>);
    /** @throws the errors of a loader */
    search(directory: string): Promise<Found<Config> | null>;
  }
}
