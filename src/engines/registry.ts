import { DragomanError, traitsOf } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { apertium } from './apertium/description.ts';
import type { ChainRules } from './chain-rules.ts';
import { deepl } from './deepl/description.ts';
import type { EngineDescription, EngineOptions } from './description.ts';
import type { Engine, EngineStatus } from './engine.ts';
import { exec } from './exec/description.ts';
import { firefox } from './firefox/description.ts';
import { google } from './google/description.ts';
import { libretranslate } from './libretranslate/description.ts';
import { openai } from './openai/description.ts';
import { pseudo } from './pseudo/description.ts';
import { service } from './service/description.ts';

/** Every engine: `auto` prefers the first. Each is loaded only when it is used. */
const descriptions = [
  exec,
  firefox,
  apertium,
  openai,
  deepl,
  libretranslate,
  google,
  service,
  pseudo,
] as const satisfies readonly EngineDescription[];

type DescribedEngine = (typeof descriptions)[number];
const all: readonly EngineDescription[] = descriptions;

/** The id of the choice among the engines that are set up here, by what each of them supports. */
export const AUTO_ENGINE = 'auto';

/** The id of the chain that a configuration has in `engines`. */
export const CONFIGURED_CHAIN = 'engines';

/** The id of the engine that is another server of the specification. */
export const SERVICE_ENGINE = service.id;

/** The id of the engine that a command line makes: naming a command chooses it. */
export const PROGRAM_ENGINE = exec.id;

/** An engine, or the choice among those that are set up. */
export type EngineName = DescribedEngine['id'] | typeof AUTO_ENGINE;

/** One engine, or several with commas between: the autocompletion of editors knows the names. */
export type EngineChain = EngineName | (string & {});

/** What `--engine` takes. */
export const engineIds: readonly EngineName[] = [AUTO_ENGINE, ...descriptions.map(({ id }) => id)];

/** Engines with a section of their own in a configuration. */
export type ConfigurableEngine = Extract<DescribedEngine, { readonly hasSettings: true }>['id'];
export const configurableEngines: readonly ConfigurableEngine[] = descriptions.flatMap((description) =>
  'hasSettings' in description ? [description.id] : [],
);

/** Whether the engine of that id runs a program of the user's choice. */
export function runsProgram(id: string): boolean {
  return all.some((description) => description.id === id && description.runsProgram === true);
}

/** Whether the engine translates on this machine, so that it knows its languages without a network. */
export function worksHere(id: string): boolean {
  return id === AUTO_ENGINE || all.some((one) => one.id === id && one.isAutomatic !== undefined);
}

/**
 * The engine of that id, or of a list of ids with commas between, each of which is asked for what those before it could
 * not do. Whoever creates it closes it.
 *
 * @throws DragomanError `usage` for an unknown id, `configuration` when the engine lacks a setting.
 */
export async function createEngine(id: EngineChain, options: EngineOptions = {}): Promise<Engine> {
  requireEngines(id, options);
  const rules = rulesOf(id, options);
  if (rules) return createChain(rules, options);
  return id === AUTO_ENGINE ? createAuto(options) : openEngine(describe(id), options);
}

async function openEngine({ load }: EngineDescription, options: EngineOptions): Promise<Engine> {
  const engine = await load(options);
  return options.charge?.(engine) ?? engine;
}

/** @throws DragomanError `usage` for a choice with an engine in it that there is not. Opens nothing. */
export function requireEngines(id: string, options: Pick<EngineOptions, 'engines'> = {}): void {
  enginesIn(id, options).forEach(requireEngine);
}

function requireEngine(id: string): void {
  if (id !== AUTO_ENGINE) describe(id);
}

function describe(id: string): EngineDescription {
  const known = all.find((description) => description.id === id);
  if (known) return known;
  const meant = nearest(id, engineIds);
  throw new DragomanError('usage', `there is no engine "${id}"`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Engines: ${engineIds.join(', ')}.`,
  });
}

/** The rules of a choice that is a chain. */
export function rulesOf(id: string, { engines }: Pick<EngineOptions, 'engines'>): ChainRules | undefined {
  if (id === CONFIGURED_CHAIN) return engines;
  return id.includes(',') ? { '*': id.split(',').map((name) => name.trim()) } : undefined;
}

/** The ids that the choice of an engine has in it: one, or those of a chain. */
export function enginesIn(id: string, options: Pick<EngineOptions, 'engines'>): readonly string[] {
  const rules = rulesOf(id, options);
  return rules ? [...new Set(Object.values(rules).flat())] : [id];
}

async function createChain(rules: ChainRules, options: EngineOptions): Promise<Engine> {
  const { createChainEngine } = await import('./chain.ts');
  // A chain in a chain could be the chain itself.
  const { engines: _, ...rest } = options;
  return createChainEngine({ rules, open: (id) => createEngine(id, rest), onTrouble: options.onTrouble });
}

async function createAuto(options: EngineOptions): Promise<Engine> {
  const { createAutoEngine } = await import('./auto.ts');
  const automatic = all.filter(({ isAutomatic }) => isAutomatic?.(options));
  return createAutoEngine(
    await Promise.all(automatic.map((description) => openEngine(description, options))),
    installHints,
  );
}

/** The commands that would get some engine this pair. */
export async function installHints(source: string, target: string): Promise<readonly string[]> {
  const hints = await Promise.all(all.map(async ({ installHint }) => installHint?.(source, target)));
  return hints.filter((hint) => hint !== undefined);
}

export interface EngineVersion {
  readonly id: string;
  readonly version: string;
}

/** The programs and libraries that translate here, by the ids of their engines. */
export async function engineVersions(): Promise<readonly EngineVersion[]> {
  const versions = await Promise.all(
    all.map(async ({ id, version }) => ({ id, version: await version?.() })),
  );
  return versions.flatMap(({ id, version }) => (version === undefined ? [] : { id, version }));
}

/** What each engine can do here and now. Everything opened for it is closed again. */
export async function engineStatuses(
  options: EngineOptions,
  signal?: AbortSignal,
): Promise<readonly EngineStatus[]> {
  return Promise.all(all.map((description) => statusOf(description, options, signal)));
}

/** Whether something of an engine is not configured, or not as it should be. */
function isOfSetup(error: DragomanError): boolean {
  const { concerns } = traitsOf(error);
  return concerns === 'command' || error.code === 'unreadable_input' || error.code === 'unauthenticated';
}

async function statusOf(
  { id, load }: EngineDescription,
  options: EngineOptions,
  signal?: AbortSignal,
): Promise<EngineStatus> {
  let engine: Engine | undefined;
  try {
    engine = await load(options);
    return await engine.status(signal);
  } catch (error) {
    if (!(error instanceof DragomanError) || !isOfSetup(error)) throw error;
    return { id, ready: false, detail: error.message, hint: error.hint, pairs: [] };
  } finally {
    await engine?.close();
  }
}
