import type { Environment } from '../base/http/proxy.ts';
import type { ChainRules } from './chain-rules.ts';
import type { TroubleListener } from './chain.ts';
import type { Engine } from './engine.ts';

/** An engine's section of a configuration, as its schema allows. */
export type EngineSettings = Readonly<Record<string, string | number | undefined>>;

export interface EngineOptions {
  /** The command line for the engine that runs a program. */
  readonly execCommand?: string | undefined;
  /** The directory of installed models, for engines that use them. */
  readonly modelsDirectory?: string | undefined;
  /** Maximum wait for a pending answer. Each engine has its own default. */
  readonly timeoutMs?: number | undefined;
  /**
   * How long pending requests may continue after an interruption, because they may have been paid for. No new requests
   * are sent. Each engine has its own default; 0 if only time would be lost.
   */
  readonly graceMs?: number | undefined;
  /** The environment with keys and addresses of hosted engines. Default: the process's. */
  readonly env?: Environment | undefined;
  /** The settings by engine id. */
  readonly settings?: Readonly<Record<string, EngineSettings | undefined>> | undefined;
  /** The configured engines for each pair. */
  readonly engines?: ChainRules | undefined;
  /** Connects to the configured service, if any. The engine closes the connection. */
  readonly service?: ((graceMs?: number) => Promise<Engine | undefined>) | undefined;
  /** Adds a price to each opened engine. */
  readonly charge?: ((engine: Engine) => Engine) | undefined;
  /** Called when an engine of a chain is paused. */
  readonly onTrouble?: TroubleListener | undefined;
  /** Called with the reason when an engine does not receive the glossary's terms. */
  readonly onWithoutTerms?: TroubleListener | undefined;
}

/** Facts about an engine that are known before it is loaded. The registry consists of these. */
export interface EngineDescription {
  /** The id for `--engine`. */
  readonly id: string;
  /** Whether it runs a program of the user's choice, so that a project's configuration cannot select it. */
  readonly runsProgram?: boolean;
  /** Whether a configuration may have a section for it, under its id; the schema describes the section. */
  readonly hasSettings?: boolean;
  /**
   * Whether `auto` may choose it with these options. Absent: never, because it sends texts to a service or only makes
   * pseudo-translations.
   */
  readonly isAutomatic?: (options: EngineOptions) => boolean;
  /** The translator with its version: `Apertium 3.8.3`. Undefined if it is not installed. */
  readonly version?: () => Promise<string | undefined>;
  /** The command that installs this pair, if one is known. */
  readonly installHint?: (source: string, target: string) => Promise<string | undefined>;
  /**
   * Imports and creates the engine, which the caller closes.
   *
   * @throws DragomanError `configuration` if a setting is missing
   */
  readonly load: (options: EngineOptions) => Promise<Engine>;
}
