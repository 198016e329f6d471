import type { MessageRules } from '../formats/message-rules.ts';
import type { BranchRule } from '../text/choice.ts';
import type { BuiltInFormatId, FormatId } from '../formats/registry.ts';
import type { LintRules } from './lint-rules.ts';
import type { DocumentRule, Layout, NamedFiles } from './layout.ts';
import type { Manifest } from './manifest.ts';
import type { SiteSearch } from './site.ts';

/**
 * Facts about a framework: the code that reads localization files when the product runs. The registry is a list of
 * these descriptions.
 */
export interface FrameworkDescription {
  readonly id: string;
  /** The name in messages. */
  readonly title: string;
  /** Manifests that identify it. If several frameworks match, the first in the registry is chosen. */
  readonly evidence: readonly Evidence[];
  /** The formats of its localization files. */
  readonly formats: readonly BuiltInFormatId[];
  /** Files of these formats that it reads, by their paths below the manifest. Default: all. */
  readonly holds?: RegExp;
  /** Paths of files that only this framework reads, regardless of manifests. */
  readonly owns?: RegExp;
  /** Formats whose files are assigned to it if no manifest identifies another framework. */
  readonly isUsualFor?: readonly FormatId[];
  /** How its paths name languages. */
  readonly layouts?: readonly Layout[];
  /** Names of directories with a file or a directory for each language, in lower case. */
  readonly holders?: readonly string[];
  /** The files that its manifests name. @param files all localization files, relative to the root */
  readonly namedFiles?: (manifest: Manifest, files: readonly string[]) => readonly NamedFiles[];
  /** The layouts of its pages. */
  readonly documents?: (search: SiteSearch) => readonly DocumentRule[] | Promise<readonly DocumentRule[]>;
  /** The file that lists the languages of its directory, if catalogues are named by language. */
  readonly languageList?: { readonly name: string; readonly extension: string };
  /** The framework's settings files, which are never localization files. */
  readonly settings?: RegExp;
  /** Whether a file below the directory of a language is data for programs. Skipped and reported. */
  readonly isData?: (file: DataFile) => boolean;
  /** Files with texts for each language that are not read, but reported: settings, store listings. */
  readonly unreadTranslations?: RegExp;
  /** Files that are settings only in the directory of one of its manifests. */
  readonly settingsBeside?: RegExp;
  /** Files without a source file that translate texts in programs. Programs are not read, so these files are skipped. */
  readonly ofPrograms?: ProgramTranslations;
  /**
   * Directories that the framework's tools export: those whose name matches, and those named as in `inner` whose parent
   * matches.
   */
  readonly exports?: {
    readonly directories: RegExp;
    readonly inner: { readonly parent: RegExp; readonly name: string };
  };
  /** Formats in which its keys may be the source texts. Such files need no file in the source language. */
  readonly keysMayBeTexts?: readonly FormatId[];
  /** Settings, found like manifests, in which `text` matches a literal. The first group is the source language. */
  readonly sourceSettings?: readonly (Evidence & { readonly text: RegExp })[];
  /** How it reads the messages of a file. If undefined, the notation is inferred from the values. */
  readonly messagesOf?: (file: FrameworkFile) => MessageRules | undefined;
  /** Source files of the project with further rules for messages, found like manifests. */
  readonly programs?: readonly Evidence[];
  /** Their rule for branches; undefined if they have none or it is unreadable. */
  readonly branchRule?: (programs: readonly Manifest[]) => Promise<BranchRule | undefined>;
  readonly lint?: LintRules;
}

export interface ProgramTranslations {
  readonly paths: RegExp;
  /** The command that extracts the texts into source files, if the framework has one. */
  readonly extraction?: string;
}

/** A manifest, by name and content. It identifies the framework for files in its directory and below. */
export interface Evidence {
  /** Names, or extensions: `*.csproj`. */
  readonly files: readonly string[];
  /** The end of its directory's path, which counts as part of its name: the framework applies to the tree above. */
  readonly within?: RegExp;
  /** Dependencies or other names, one of which it must contain. Default: the file alone is enough. */
  readonly names?: readonly string[];
  /** Text that it must begin with, if names are not enough. */
  readonly text?: RegExp;
  /** Whether only files in the project's root, or named like their directory, count as manifests. */
  readonly isMain?: boolean;
}

/** A file that may be data for programs. Costly properties are computed on request. */
export interface DataFile {
  /** The path, relative to the root. */
  readonly path: string;
  /** The beginning of the file; empty if it is unreadable. */
  readonly text: () => string;
  /** Whether a manifest of the framework is above it. */
  readonly isBelowManifest: () => boolean;
}

/** A localization file and the manifest that identifies its framework. */
export interface FrameworkFile {
  /** The path, relative to the root. */
  readonly path: string;
  readonly format: FormatId;
  /** Undefined if the file itself or the configuration identifies the framework. */
  readonly manifest: Manifest | undefined;
}

/** Describes a framework with a literal id. */
export function describeFramework<const Id extends string>(
  description: FrameworkDescription & { readonly id: Id },
): FrameworkDescription & { readonly id: Id } {
  return description;
}
