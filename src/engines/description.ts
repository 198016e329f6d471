import type { Environment } from '../base/http/proxy.ts';
import type { ChainRules } from './chain-rules.ts';
import type { TroubleListener } from './chain.ts';
import type { Engine } from './engine.ts';

/** What an engine's section of a configuration has, as its schema lets it through. */
export type EngineSettings = Readonly<Record<string, string | number | undefined>>;

export interface EngineOptions {
  /** The command line of the engine that runs a program. */
  readonly execCommand?: string | undefined;
  /** Where the models are installed of engines that have some. */
  readonly modelsDirectory?: string | undefined;
  /** Longest time without an answer while one is due. Each engine has its own default. */
  readonly timeoutMs?: number | undefined;
  /**
   * How long what is under way may go on when a call is interrupted: it may have been paid for. Nothing more is begun.
   * Each engine has its own default; none where what is lost is only time.
   */
  readonly graceMs?: number | undefined;
  /** Where hosted engines find keys and addresses. Default: the process's. */
  readonly env?: Environment | undefined;
  /** By the ids of engines. */
  readonly settings?: Readonly<Record<string, EngineSettings | undefined>> | undefined;
  /** What the engine of the configured chain asks for each pair. */
  readonly engines?: ChainRules | undefined;
  /** Connects to the service that is configured, where one is: it is not known here how. The engine closes what it opens. */
  readonly service?: ((graceMs?: number) => Promise<Engine | undefined>) | undefined;
  /** Puts a price on each engine that is opened. */
  readonly charge?: ((engine: Engine) => Engine) | undefined;
  /** Called for engines of a chain that are left out for a while. */
  readonly onTrouble?: TroubleListener | undefined;
  /** Called for engines that do not get the terms of the glossary, and why. */
  readonly onWithoutTerms?: TroubleListener | undefined;
}

/** All that the program knows of an engine before it is used. The registry is made of these. */
export interface EngineDescription {
  /** What `--engine` takes. */
  readonly id: string;
  /** It runs a program of the user's choice, so that the configuration of a project cannot choose it. */
  readonly runsProgram?: boolean;
  /** A configuration has a section for it, which is called as it is; the schema describes that. */
  readonly hasSettings?: boolean;
  /**
   * Whether `auto` may choose it, as things are set up. Without this, never: it sends texts to somebody, or only pretends
   * to translate.
   */
  readonly isAutomatic?: (options: EngineOptions) => boolean;
  /** What translates, with its version: `Apertium 3.8.3`. Undefined where that is not installed. */
  readonly version?: () => Promise<string | undefined>;
  /** The command that gets it this pair, if there is one. */
  readonly installHint?: (source: string, target: string) => Promise<string | undefined>;
  /**
   * Imports the engine and creates it. Whoever loads it closes it.
   *
   * @throws DragomanError `configuration` when it lacks a setting.
   */
  readonly load: (options: EngineOptions) => Promise<Engine>;
}
