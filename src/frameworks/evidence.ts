import { join } from 'node:path';
import { readHead } from '../base/file-head.ts';
import type { MessageRules } from '../formats/message-rules.ts';
import type { FormatId } from '../formats/registry.ts';
import { languageOf, parseLocale } from '../languages/locale.ts';
import type { Evidence, FrameworkDescription, ProgramTranslations } from './description.ts';
import type { BranchRule } from '../text/choice.ts';
import { directoryOf, type DocumentRule, type NamedFiles } from './layout.ts';
import { MANIFEST_LIMIT, readManifest, type Manifest } from './manifest.ts';
import {
  findFramework,
  FRAMEWORKS,
  isLanguageHolder,
  PLAIN,
  type Framework,
  type FrameworkId,
} from './registry.ts';
import { addTo } from '../base/map-of-lists.ts';

/** The framework of a file, with the evidence for it. */
export interface DetectedFramework {
  readonly framework: Framework;
  /** The manifest. Undefined if the file itself identifies the framework, or nothing does. */
  readonly manifest: Manifest | undefined;
}

interface Clue {
  readonly framework: Framework;
  readonly evidence: Evidence;
  /** Only manifests identify a framework. */
  readonly kind: 'manifest' | 'program' | 'setting';
}

/** A manifest that may identify a framework; its content has not been read yet. */
interface Sign extends Clue {
  readonly path: string;
}

/** A package that depends on another, and its framework. */
interface DependentPackage {
  readonly framework: Framework;
  readonly manifest: Manifest;
}

/**
 * Clues by file name or, with `*` before it, by extension: a tree has a hundred thousand files, and two look-ups for
 * each are enough.
 */
const CLUES = new Map<string, Clue[]>();
for (const framework of FRAMEWORKS) {
  const { evidence: manifests, programs = [], sourceSettings = [] } = framework;
  const all = { manifest: manifests, program: programs, setting: sourceSettings } as const;
  for (const kind of ['manifest', 'program', 'setting'] as const)
    for (const evidence of all[kind])
      for (const file of evidence.files) addTo(CLUES, file, { framework, evidence, kind });
}

/** The limit for one kind in one application. */
const MOST_PROGRAMS = 100;

/**
 * Finds the frameworks of a project by the manifests in its tree. A manifest is read once, when needed for a
 * localization file below it, or below a package without an identified framework.
 */
export class FrameworkEvidence {
  readonly #root: string;
  /** The evidence by directory, in the order of the registry. */
  readonly #signs = new Map<string, Sign[]>();
  /** Programs and settings. */
  readonly #others: Sign[] = [];
  readonly #sources = new Map<string, string | undefined>();
  readonly #manifests = new Map<string, Manifest | undefined>();
  /** The dependents of each package, by its name: one search in the whole tree. */
  #dependents: ReadonlyMap<string, readonly DependentPackage[]> | undefined;
  /** The directories with manifests by their parent. */
  #directories: Map<string, string[]> | undefined;
  readonly #rules = new Map<string, Promise<BranchRule | undefined>>();

  /** @param root absolute */
  constructor(root: string) {
    this.#root = root;
  }

  /** @param path of any file of the project, relative to its root */
  add(path: string): void {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const names = [name, `*${name.slice(name.lastIndexOf('.'))}`, name.replace(/\.[\w-]+(?=\.\w+$)/, '.*')];
    const clues = [...new Set(names)].flatMap((one) => CLUES.get(one) ?? []);
    for (const clue of clues) {
      const directory = path.slice(0, Math.max(0, path.length - name.length - 1));
      const { within, isMain = false } = clue.evidence;
      if (
        isMain &&
        directory !== '' &&
        !`/${directory}/`.endsWith(`/${name.slice(0, name.lastIndexOf('.'))}/`)
      )
        continue;
      const match = within?.exec(directory);
      if (within && !match) continue;
      const shown = directory.slice(0, match?.index).replace(/\/$/, '');
      if (clue.kind === 'manifest') addTo(this.#signs, shown, { ...clue, path });
      else this.#others.push({ ...clue, path });
    }
  }

  /** The layouts of the pages of sites. @param documents all files of running text */
  async documentRules(documents: readonly string[]): Promise<readonly DocumentRule[]> {
    const rules = FRAMEWORKS.map(async (framework) => {
      const manifests = (): readonly Manifest[] => this.#manifestsOf(framework);
      return (await framework.documents?.({ root: this.#root, manifests, documents })) ?? [];
    });
    return (await Promise.all(rules)).flat();
  }

  /** The files that manifests name. @param files all localization files */
  namedFiles(files: readonly string[]): readonly NamedFiles[] {
    return FRAMEWORKS.flatMap((framework) => {
      const { namedFiles } = framework;
      return namedFiles
        ? this.#manifestsOf(framework).flatMap((manifest) => namedFiles(manifest, files))
        : [];
    });
  }

  /** The framework's manifests, sorted by path. */
  #manifestsOf(framework: Framework): readonly Manifest[] {
    const own = [...this.#signs.values()].flat().filter((sign) => sign.framework === framework);
    return own.flatMap((sign) => this.#manifestIn(sign) ?? []).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /**
   * The framework of a file. @param configured the configured framework. Default: the nearest one above that reads the file's
   * format
   */
  frameworkOf(path: string, format: FormatId, configured?: FrameworkId): DetectedFramework {
    if (configured)
      return { framework: findFramework(configured), manifest: this.manifestOf(path, configured) };
    const own = FRAMEWORKS.find(({ owns }) => owns?.test(path) === true);
    const shown = this.#nearest(path, (framework) =>
      own ? framework === own : reads(framework, path, format),
    );
    const found =
      shown ?? (own ? undefined : (this.#ofDependents(path, format) ?? this.#ofNeighbours(path, format)));
    if (found) return found;
    const usual = FRAMEWORKS.find(({ isUsualFor = [] }) => isUsualFor.includes(format));
    return { framework: own ?? usual ?? PLAIN, manifest: undefined };
  }

  /** The framework of a file, and how the application reads its messages. Undefined if the values show it. */
  async readingOf(
    path: string,
    format: FormatId,
    configured?: FrameworkId,
  ): Promise<DetectedFramework & { readonly messages: MessageRules | undefined }> {
    const found = this.frameworkOf(path, format, configured);
    const { framework, manifest } = found;
    const messages = framework.messagesOf?.({ path, format, manifest });
    const rule = messages && (await this.#branchRuleOf(framework.id, manifest?.path));
    return { ...found, messages: rule ? { ...messages, rule } : messages };
  }

  /**
   * The application's rule for branches of messages.
   *
   * @param manifest of the application, relative to the root; undefined if the application is the whole project
   */
  #branchRuleOf(id: FrameworkId, manifest: string | undefined): Promise<BranchRule | undefined> {
    const key = `${id} ${manifest ?? ''}`;
    const known = this.#rules.get(key) ?? this.#readRule(id, manifest);
    this.#rules.set(key, known);
    return known;
  }

  async #readRule(id: FrameworkId, manifest: string | undefined): Promise<BranchRule | undefined> {
    const { branchRule } = findFramework(id);
    if (!branchRule) return undefined;
    return branchRule(this.#partsOf(id, manifest, 'program').flatMap((sign) => this.#manifestIn(sign) ?? []));
  }

  /** The source language in the settings of a file's application, canonical; undefined if none names it. */
  sourceOf({ framework: { id, sourceSettings }, manifest }: DetectedFramework): string | undefined {
    if (!sourceSettings) return undefined;
    const key = `${id} ${manifest?.path ?? ''}`;
    if (!this.#sources.has(key)) {
      const named = this.#partsOf(id, manifest?.path, 'setting').flatMap((sign) => {
        const spelling = sign.evidence.text?.exec(this.#manifestIn(sign)?.text ?? '')?.[1];
        const locale = spelling === undefined ? undefined : parseLocale(spelling);
        // Most frameworks default to `en-US`, even for texts in another variant of English.
        return locale === undefined ? [] : languageOf(locale) === 'en' ? 'en' : locale;
      });
      this.#sources.set(key, named[0]);
    }
    return this.#sources.get(key);
  }

  /** An application's programs or settings. @param manifest the application's path */
  #partsOf(id: FrameworkId, manifest: string | undefined, kind: Clue['kind']): readonly Sign[] {
    const top = directoryOf(manifest ?? '');
    return this.#others
      .filter(
        (sign) =>
          sign.kind === kind &&
          sign.framework.id === id &&
          sign.path.startsWith(top) &&
          this.manifestOf(sign.path, id)?.path === manifest,
      )
      .slice(0, MOST_PROGRAMS);
  }

  /** The manifest that identifies a framework that is already known. */
  manifestOf(path: string, id: FrameworkId): Manifest | undefined {
    return this.#nearest(path, (framework) => framework.id === id)?.manifest;
  }

  /** Whether a file contains a framework's settings, and therefore no texts. */
  isSettings(path: string): boolean {
    const isBeside = (id: FrameworkId): boolean => {
      const manifest = this.manifestOf(path, id);
      return manifest !== undefined && directoryOf(manifest.path) === directoryOf(path);
    };
    return FRAMEWORKS.some(
      ({ id, settings, settingsBeside }) =>
        settings?.test(path) === true || (settingsBeside?.test(path) === true && isBeside(id)),
    );
  }

  /** Whether a file contains data for programs and no texts, although it is below a language's directory. */
  isData(path: string, text: () => string): boolean {
    return FRAMEWORKS.some(({ id, isData }) => {
      const isBelowManifest = (): boolean => this.manifestOf(path, id) !== undefined;
      return isData?.({ path, text, isBelowManifest }) === true;
    });
  }

  /** Whether a file has texts of one language that dragoman does not read. */
  isUnreadTranslation(path: string): boolean {
    return FRAMEWORKS.some(({ unreadTranslations }) => unreadTranslations?.test(path) === true);
  }

  /** The framework's entry for a file that has no source and translates a program's texts; undefined for others. */
  ofProgram(path: string): ProgramTranslations | undefined {
    const framework = FRAMEWORKS.find(
      ({ id, ofPrograms }) =>
        ofPrograms?.paths.test(path) === true && this.manifestOf(path, id) !== undefined,
    );
    return framework?.ofPrograms;
  }

  #nearest(path: string, isWanted: (framework: Framework) => boolean): DetectedFramework | undefined {
    // A search that starts before the beginning would find a slash at the beginning again.
    for (let at = path.lastIndexOf('/'); ; at = at > 0 ? path.lastIndexOf('/', at - 1) : -1) {
      const found = this.#shownIn(path.slice(0, Math.max(0, at)), isWanted);
      if (found) return found;
      if (at < 0) return undefined;
    }
  }

  /** The first framework that the manifests of a directory identify. */
  #shownIn(directory: string, isWanted: (framework: Framework) => boolean): DetectedFramework | undefined {
    const signs = this.#signs.get(directory) ?? [];
    for (const framework of FRAMEWORKS) {
      if (!signs.some((sign) => sign.framework === framework) || !isWanted(framework)) continue;
      for (const sign of signs) {
        const manifest = sign.framework === framework ? this.#manifestIn(sign) : undefined;
        if (manifest) return { framework, manifest };
      }
    }
    return undefined;
  }

  /**
   * Texts next to the packages that use them, such as `i18n/` next to `frontend/`, are read by the framework of these
   * packages, if they all use the same one.
   */
  #ofNeighbours(path: string, format: FormatId): DetectedFramework | undefined {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const start = path.lastIndexOf('/', end - 1) + 1;
      if (!isLanguageHolder(path.slice(start, end))) continue;
      const neighbours = this.#directoriesIn(path.slice(0, Math.max(0, start - 1)));
      const [first, ...others] = neighbours.flatMap(
        (directory) => this.#shownIn(directory, (framework) => reads(framework, path, format)) ?? [],
      );
      if (first) return others.every(({ framework }) => framework === first.framework) ? first : undefined;
    }
    return undefined;
  }

  /** The directories directly below this one that have manifests, sorted. */
  #directoriesIn(directory: string): readonly string[] {
    if (!this.#directories) {
      this.#directories = new Map();
      for (const path of [...this.#signs.keys()].toSorted())
        if (path !== '') addTo(this.#directories, path.slice(0, Math.max(0, path.lastIndexOf('/'))), path);
    }
    return this.#directories.get(directory) ?? [];
  }

  /**
   * A package that only has texts is read by the framework of the packages in the same repository that depend on it, if
   * they all use the same one.
   */
  #ofDependents(path: string, format: FormatId): DetectedFramework | undefined {
    const name = this.#packageOf(path);
    if (name === undefined) return undefined;
    this.#dependents ??= this.#findDependents();
    const shown = new Map<Manifest, Framework>();
    for (const { framework, manifest } of this.#dependents.get(name) ?? [])
      if (manifest.own !== name && !shown.has(manifest) && reads(framework, path, format))
        shown.set(manifest, framework);
    const [first, ...others] = shown;
    if (!first || others.some(([, framework]) => framework !== first[1])) return undefined;
    return { framework: first[1], manifest: first[0] };
  }

  #findDependents(): ReadonlyMap<string, readonly DependentPackage[]> {
    const found = new Map<string, DependentPackage[]>();
    for (const sign of [...this.#signs.values()].flat()) {
      const manifest = this.#manifestIn(sign);
      if (!manifest) continue;
      for (const name of manifest.dependencies) addTo(found, name, { framework: sign.framework, manifest });
    }
    return found;
  }

  /** The name of the package that contains a file. */
  #packageOf(path: string): string | undefined {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      for (const sign of this.#signs.get(path.slice(0, at)) ?? []) {
        const name = this.#read(sign.path)?.own;
        if (name !== undefined) return name;
      }
    }
    return undefined;
  }

  #read(path: string): Manifest | undefined {
    if (!this.#manifests.has(path)) {
      const head = readHead(join(this.#root, path), MANIFEST_LIMIT);
      this.#manifests.set(path, head && readManifest(path, head.text));
    }
    return this.#manifests.get(path);
  }

  #manifestIn({ path, evidence: { names, text } }: Sign): Manifest | undefined {
    const manifest = this.#read(path);
    if (!manifest || text?.test(manifest.text) === false) return undefined;
    return (names?.some((name) => manifest.names.has(name)) ?? true) ? manifest : undefined;
  }
}

function reads({ formats, holds }: FrameworkDescription, path: string, format: FormatId): boolean {
  return formats.some((id) => id === format) && holds?.test(path) !== false;
}
