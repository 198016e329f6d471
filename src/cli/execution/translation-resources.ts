import type { Command } from 'commander';
import { DragomanError, describe } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import type { MemoryOptions } from '../../memory/translation-memory.ts';
import type { TranslationResources } from '../../pipeline/unit.ts';
import type { Project } from '../../project/state/project.ts';
import type { CommandContext } from '../output/command.ts';
import { type FormalityFlags, addFormalityOption, findFormality, formalityOf } from '../options/engine.ts';
import {
  type GlossaryFlags,
  addGlossaryOption,
  findGlossary,
  findProjectGlossary,
} from '../options/glossary.ts';
import {
  type MemoryFlags,
  addMemoryOption,
  defaultMemoryPath,
  locateMemory,
  memoryPathOf,
  projectMemoryPathOf,
} from '../options/memory.ts';
import type { Output } from '../output/output.ts';
import { SettingsFiles } from '../options/setting.ts';
import { type Terminal, oneLine } from '../terminal/terminal.ts';
import type { LanguagePair, SimilarTranslation } from '../../engines/engine.ts';
import type {
  MemoryEntry,
  MemoryMessage,
  MemoryTranslation,
  TranslationMemory,
} from '../../pipeline/memory.ts';

/** Flags of resources that improve translations. */
export interface ResourceFlags extends GlossaryFlags, FormalityFlags, MemoryFlags {}

export function addResourceOptions(command: Command): void {
  addGlossaryOption(command);
  addFormalityOption(command);
  addMemoryOption(command);
}

export interface ResourceNeeds {
  /** Whether the texts belong to a project, so that translations are kept for the next run. */
  readonly isKept?: boolean;
  /** Whether nothing may be written, not even an empty memory. */
  readonly isReading?: boolean;
  /** Whether only the memory is used: other resources are not read, and may be invalid. */
  readonly isMemoryOnly?: boolean;
}

/** The open resources of a command. The code that opens them closes them. */
interface OpenResources {
  readonly resources: TranslationResources;
  close(): Promise<void>;
}

/** The resources of a project, chosen by its own configuration. */
async function openProjectResources(
  flags: ResourceFlags,
  project: Project,
  { terminal, output }: CommandContext,
  { isReading = false, isMemoryOnly = false }: ResourceNeeds,
): Promise<OpenResources> {
  const path = await projectMemoryPathOf(flags, terminal, project);
  const memory =
    isReading && (path === undefined || typeAt(path) === undefined)
      ? undefined
      : memoryIn(path, terminal, { project: project.root, isReading });
  return {
    resources: {
      memory,
      glossary: isMemoryOnly ? undefined : await findProjectGlossary(flags, terminal, project),
      formality: formalityOf(flags, project.configuration),
      onKept: keptListener(output),
    },
    close: async () => memory?.close(),
  };
}

/** Reports once per language pair that texts stay unchanged. */
function keptListener(output: Output): NonNullable<TranslationResources['onKept']> {
  const pairs = new Set<string>();
  return (source, target) => {
    const pair = `${source} to ${target}`;
    if (pairs.has(pair)) return;
    pairs.add(pair);
    output.message(
      `${target}: texts are kept as they are in ${source}: no engine translates ${pair} directly`,
    );
  };
}

/**
 * The memory, opened on first use, because most runs have nothing to translate.
 *
 * @param options `project` is the root of the project whose files the memory learns from
 */
function memoryIn(
  path: string | undefined,
  terminal: Terminal,
  options: Pick<MemoryOptions, 'project' | 'isReading'> = {},
): ClosableMemory | undefined {
  if (path === undefined) return undefined;
  const open = async (): Promise<ClosableMemory> => {
    const { openTranslationMemory } = await import('../../memory/translation-memory.ts');
    // A prepared file, such as one of a checkout, can contain data that makes a query endless.
    if (path !== defaultMemoryPath(terminal.env)) terminal.expectLongSteps?.();
    return openTranslationMemory(path, options);
  };
  return new LazyMemory(open, (error) => {
    const hint = error.hint === undefined ? '' : ` (${error.hint})`;
    terminal.stderr.write(
      `${oneLine(`continuing without the translation memory: ${describe(error)}${hint}`)}\n`,
    );
  });
}

export type ResourcesOf = (project: Project) => TranslationResources;

/**
 * Runs `work` with the resources of projects, each chosen by its own configuration, then closes them, even after an
 * error.
 */
export async function withProjectResources<T>(
  flags: ResourceFlags,
  projects: readonly Project[],
  context: CommandContext,
  work: (resourcesOf: ResourcesOf) => Promise<T>,
  needs: ResourceNeeds = {},
): Promise<T> {
  const opened = new Map<Project, OpenResources>();
  try {
    for (const project of projects)
      opened.set(project, await openProjectResources(flags, project, context, needs));
    return await work((project) => opened.get(project)?.resources ?? {});
  } finally {
    for (const one of opened.values()) await one.close();
  }
}

/**
 * Runs `work` with the resources chosen by flags, environment and the configurations for the current directory, then
 * closes them, even after an error. E-mails, pages and single texts may be private, so they use a memory only if the
 * user names one.
 */
export async function withResources<T>(
  flags: ResourceFlags,
  { terminal, output }: CommandContext,
  work: (resources: TranslationResources) => Promise<T>,
  { isKept = false }: Pick<ResourceNeeds, 'isKept'> = {},
): Promise<T> {
  const files = new SettingsFiles(terminal);
  const located = await locateMemory(flags, terminal, files);
  const isNamed = located && located.origin.kind !== 'default';
  const memory =
    isKept || isNamed ? memoryIn(await memoryPathOf(flags, terminal, files), terminal) : undefined;
  const glossary = await findGlossary(flags, terminal, files);
  const formality = await findFormality(flags, files);
  try {
    return await work({ memory, glossary, formality, onKept: keptListener(output) });
  } finally {
    await memory?.close();
  }
}

/**
 * A service that translates whole documents ignores resources, so flags that request some are refused.
 *
 * @throws DragomanError `usage`
 */
export function refuseResources({ glossary, formality, memory }: ResourceFlags, hint?: string): void {
  const flags = {
    '--glossary': typeof glossary === 'string',
    '--formality': formality !== undefined,
    '--memory': typeof memory === 'string',
  };
  const [flag] = Object.entries(flags).find(([, isGiven]) => isGiven) ?? [];
  if (flag === undefined) return;
  throw new DragomanError('usage', `${flag} requires an engine: a service gets whole texts`, { hint });
}

export interface ClosableMemory extends TranslationMemory {
  close(): Promise<void>;
}

/**
 * A translation memory that is opened on first use. After a failure it is no longer used: `onTrouble` is called once,
 * and translation continues without it.
 */
export class LazyMemory implements ClosableMemory {
  readonly #open: () => Promise<ClosableMemory>;
  readonly #onTrouble: (error: DragomanError) => void;
  #opened: Promise<ClosableMemory> | undefined;
  #failed = false;

  constructor(open: () => Promise<ClosableMemory>, onTrouble: (error: DragomanError) => void) {
    this.#open = open;
    this.#onTrouble = onTrouble;
  }

  find(
    messages: readonly MemoryMessage[],
    pair: LanguagePair,
  ): Promise<readonly (MemoryTranslation | undefined)[]> {
    return this.#use((memory) => memory.find(messages, pair), []);
  }

  hasSimilar(pair: LanguagePair): Promise<boolean> {
    return this.#use((memory) => memory.hasSimilar(pair), false);
  }

  findSimilar(
    message: MemoryMessage,
    pair: LanguagePair,
    options?: { readonly most?: number },
  ): Promise<readonly SimilarTranslation[]> {
    return this.#use((memory) => memory.findSimilar(message, pair, options), []);
  }

  store(entries: readonly MemoryEntry[], pair: LanguagePair): Promise<void> {
    return this.#use((memory) => memory.store(entries, pair), undefined);
  }

  async close(): Promise<void> {
    const memory = await this.#opened?.catch(() => undefined);
    try {
      await memory?.close();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #use<T>(work: (memory: TranslationMemory) => Promise<T>, otherwise: T): Promise<T> {
    if (this.#failed) return otherwise;
    try {
      return await work(await (this.#opened ??= this.#open()));
    } catch (error) {
      this.#fail(error);
      return otherwise;
    }
  }

  #fail(error: unknown): void {
    if (!(error instanceof DragomanError)) throw error;
    if (!this.#failed) this.#onTrouble(error);
    this.#failed = true;
  }
}
