import type { MessageRules } from '../formats/message-rules.ts';
import type { BranchRule } from '../text/choice.ts';
import type { FormatId } from '../formats/registry.ts';
import type { LintRules } from './lint-rules.ts';
import type { DocumentRule, Layout, NamedFiles } from './layout.ts';
import type { Manifest } from './manifest.ts';
import type { SiteSearch } from './site.ts';

/**
 * All that the program knows of a framework: what reads localization files when the product runs. The registry is made
 * of these.
 */
export interface FrameworkDescription {
  readonly id: string;
  /** Its name in messages. */
  readonly title: string;
  /** Manifests that show it. Where several frameworks are shown, the one that stands first in the registry counts. */
  readonly evidence: readonly Evidence[];
  /** Of its localization files. */
  readonly formats: readonly FormatId[];
  /** The files of its formats that it reads, by their paths below the manifest. Default: all. */
  readonly holds?: RegExp;
  /** Paths of files that no other framework reads, whatever manifests show. */
  readonly owns?: RegExp;
  /** Formats whose files are taken for its own where no manifest shows another framework. */
  readonly isUsualFor?: readonly FormatId[];
  /** How its paths name languages. */
  readonly layouts?: readonly Layout[];
  /** Names of directories with a file or a directory for each language, in lower case. */
  readonly holders?: readonly string[];
  /** The files that its manifests name. @param files all localization files, relative to the root */
  readonly namedFiles?: (manifest: Manifest, files: readonly string[]) => readonly NamedFiles[];
  /** The layouts of its pages. */
  readonly documents?: (search: SiteSearch) => readonly DocumentRule[];
  /** The file that lists the languages of its directory, where catalogues are called as their languages are. */
  readonly languageList?: { readonly name: string; readonly extension: string };
  /** The framework's settings files, which are never localization files. */
  readonly settings?: RegExp;
  /** Directories of catalogues that its tools exported, and one inside them. */
  readonly exports?: {
    readonly directories: RegExp;
    readonly inner: { readonly parent: RegExp; readonly name: string };
  };
  /** How it reads the messages of a file. Undefined: the values show it. */
  readonly messagesOf?: (file: FrameworkFile) => MessageRules | undefined;
  /** Programs of the project that say more of how messages are read, by the same signs as manifests. */
  readonly programs?: readonly Evidence[];
  /** The rule that they have for branches; undefined: none, or it cannot be told. */
  readonly branchRule?: (programs: readonly Manifest[]) => Promise<BranchRule | undefined>;
  readonly lint?: LintRules;
}

/** A manifest by its name, and what stands in it. It shows what reads the files in its directory and below. */
export interface Evidence {
  /** Names, or extensions: `*.csproj`. */
  readonly files: readonly string[];
  /** The end of its directory, which belongs to its name: the part of the tree above that is shown. */
  readonly within?: RegExp;
  /** Dependencies or other names, of which one has to stand in it. Default: the file alone shows the framework. */
  readonly names?: readonly string[];
  /** What has to stand at its beginning, where names do not show it. */
  readonly text?: RegExp;
  /** Of its extension only files that are called as their directory is, or stand at the top. */
  readonly isMain?: boolean;
}

/** A localization file, with the manifest that shows its framework. */
export interface FrameworkFile {
  /** Relative to the root. */
  readonly path: string;
  readonly format: FormatId;
  /** Undefined where the file itself shows its framework, or the configuration says it. */
  readonly manifest: Manifest | undefined;
}

/** A description whose id is known to the compiler. */
export function describeFramework<const Id extends string>(
  description: FrameworkDescription & { readonly id: Id },
): FrameworkDescription & { readonly id: Id } {
  return description;
}
