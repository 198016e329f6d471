import { loadUserConfiguration } from '../../project/config/user.ts';
import { loadConfiguration, type LoadedConfiguration } from '../../project/config/configuration.ts';
import type { Terminal } from '../terminal.ts';
import { readCredentials, type Credentials } from './credentials.ts';

/** Files that settings stand in, each read when it is first asked for. */
export class SettingsFiles {
  readonly #terminal: Terminal;
  #project: Promise<LoadedConfiguration | undefined> | undefined;
  #user: Promise<LoadedConfiguration | undefined> | undefined;
  #credentials: Promise<Credentials> | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** The configuration that holds for the current directory. @throws DragomanError `configuration`. */
  project(): Promise<LoadedConfiguration | undefined> {
    return (this.#project ??= loadConfiguration(this.#terminal.cwd));
  }

  /** The user's own configuration. @throws DragomanError `configuration`. */
  user(): Promise<LoadedConfiguration | undefined> {
    return (this.#user ??= loadUserConfiguration(this.#terminal.env));
  }

  /** What dragoman login stored. @throws DragomanError `configuration`. */
  credentials(): Promise<Credentials> {
    return (this.#credentials ??= readCredentials(this.#terminal.env));
  }
}
