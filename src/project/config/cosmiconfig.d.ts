/** The part of cosmiconfig that is used: its types name the function `cosmiconfig` only. */
declare module 'cosmiconfig/dist/Explorer.js' {
  interface Found<Config> {
    readonly filepath: string;
    readonly config?: Config;
    /** A file without content, of which the loader is not asked. */
    readonly isEmpty?: boolean;
  }

  interface ExplorerOptions<Config> {
    /** The key of package.json. */
    readonly moduleName: string;
    readonly searchPlaces: readonly string[];
    /** `none`: in one directory only. */
    readonly searchStrategy: 'none';
    /** By extension; `noExt` for names without one. */
    readonly loaders: Readonly<Record<string, (path: string, content: string) => unknown>>;
    readonly transform: (result: Found<Config> | null) => Found<Config> | null;
    readonly ignoreEmptySearchPlaces: boolean;
    /** A file with settings for the search itself. */
    readonly metaConfigFilePath: null;
    readonly cache: boolean;
  }

  export class Explorer<Config> {
    constructor(options: ExplorerOptions<Config>);
    /** @throws the error of a loader */
    search(directory: string): Promise<Found<Config> | null>;
  }
}
