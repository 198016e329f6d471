import { DragomanError, traitsOf } from '../base/errors.ts';
import { nearest, withSuggestion } from '../base/nearest.ts';
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

/** Every engine, in the order of preference of `auto`. Each is loaded on first use. */
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

/** The id of the choice among available engines, according to the pairs they support. */
export const AUTO_ENGINE = 'auto';

/** The id of the chain configured in `engines`. */
export const CONFIGURED_CHAIN = 'engines';

/** The id of the engine for another server that implements the specification. */
export const SERVICE_ENGINE = service.id;

/** The id of the engine that runs a command: giving a command selects it. */
export const PROGRAM_ENGINE = exec.id;

/** An engine, or the automatic choice. */
export type EngineName = DescribedEngine['id'] | typeof AUTO_ENGINE;

/** An engine, or several separated by commas. Editors complete the names. */
export type EngineChain = EngineName | (string & {});

/** The ids for `--engine`. */
export const engineIds: readonly EngineName[] = [AUTO_ENGINE, ...descriptions.map(({ id }) => id)];

/** Engines with a section in a configuration. */
export type ConfigurableEngine = Extract<DescribedEngine, { readonly hasSettings: true }>['id'];
export const configurableEngines: readonly ConfigurableEngine[] = descriptions.flatMap((description) =>
  'hasSettings' in description ? [description.id] : [],
);

/** Whether the engine runs a program of the user's choice. */
export function runsProgram(id: string): boolean {
  return all.some((description) => description.id === id && description.runsProgram === true);
}

/** Whether the engine translates on this machine, so that its languages are known without a network. */
export function isLocalEngine(id: string): boolean {
  return id === AUTO_ENGINE || all.some((one) => one.id === id && one.isAutomatic !== undefined);
}

/**
 * Creates the engine with this id, or a chain from comma-separated ids. The caller closes it.
 *
 * @throws DragomanError `usage` for an unknown id, `configuration` if a setting is missing
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

/** @throws DragomanError `usage` if the choice names an unknown engine. Opens nothing. */
export function requireEngines(id: string, options: Pick<EngineOptions, 'engines'> = {}): void {
  enginesIn(id, options).forEach(requireEngine);
}

function requireEngine(id: string): void {
  if (id !== AUTO_ENGINE) describe(id);
}

function describe(id: string): EngineDescription {
  const known = all.find((description) => description.id === id);
  if (known) return known;
  throw new DragomanError('usage', `unknown engine "${id}"`, {
    hint: withSuggestion(nearest(id, engineIds), `Engines: ${engineIds.join(', ')}.`),
  });
}

/** The rules of a choice that is a chain. */
export function rulesOf(id: string, { engines }: Pick<EngineOptions, 'engines'>): ChainRules | undefined {
  if (id === CONFIGURED_CHAIN) return engines;
  return id.includes(',') ? { '*': id.split(',').map((name) => name.trim()) } : undefined;
}

/** The ids in a choice: a single one, or those of a chain. */
export function enginesIn(id: string, options: Pick<EngineOptions, 'engines'>): readonly string[] {
  const rules = rulesOf(id, options);
  return rules ? [...new Set(Object.values(rules).flat())] : [id];
}

async function createChain(rules: ChainRules, options: EngineOptions): Promise<Engine> {
  const { createChainEngine } = await import('./chain.ts');
  // Prevents a chain from containing itself.
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

/** The commands that install this pair for some engine. */
export async function installHints(source: string, target: string): Promise<readonly string[]> {
  const hints = await Promise.all(all.map(async ({ installHint }) => installHint?.(source, target)));
  return hints.filter((hint) => hint !== undefined);
}

export interface EngineVersion {
  readonly id: string;
  readonly version: string;
}

/** The local translation programs and libraries, by engine id. */
export async function engineVersions(): Promise<readonly EngineVersion[]> {
  const versions = await Promise.all(
    all.map(async ({ id, version }) => ({ id, version: await version?.() })),
  );
  return versions.flatMap(({ id, version }) => (version === undefined ? [] : { id, version }));
}

/** The status of each engine. Engines that are opened to ask for it are closed again. */
export async function engineStatuses(
  options: EngineOptions,
  signal?: AbortSignal,
): Promise<readonly EngineStatus[]> {
  return Promise.all(all.map((description) => statusOf(description, options, signal)));
}

/** Whether the error is a missing or invalid setting of an engine. */
function isOfSetup(error: DragomanError): boolean {
  const { concerns } = traitsOf(error);
  return concerns === 'command' || error.code === 'unreadable_input' || error.code === 'unauthenticated';
}

async function statusOf(
  { id, load }: EngineDescription,
  options: EngineOptions,
  signal: AbortSignal | undefined,
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
