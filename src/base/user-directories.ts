import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './http/proxy.ts';

/** The directories of a user's files in the XDG Base Directory Specification and on other systems. */
interface UserPlaces {
  /** Must be absolute; relative values are ignored, as the specification requires. */
  readonly variable: string;
  /** The directory's path below the home directory. */
  readonly xdg: readonly string[];
  readonly darwin: readonly string[];
  readonly win32: { readonly variable: 'APPDATA' | 'LOCALAPPDATA'; readonly within: readonly string[] };
}

const PLACES = {
  config: {
    variable: 'XDG_CONFIG_HOME',
    xdg: ['.config', 'dragoman'],
    darwin: ['.config', 'dragoman'],
    win32: { variable: 'APPDATA', within: ['dragoman'] },
  },
  cache: {
    variable: 'XDG_CACHE_HOME',
    xdg: ['.cache', 'dragoman'],
    darwin: ['Library', 'Caches', 'dragoman'],
    win32: { variable: 'LOCALAPPDATA', within: ['dragoman', 'cache'] },
  },
  data: {
    variable: 'XDG_DATA_HOME',
    xdg: ['.local', 'share', 'dragoman'],
    darwin: ['Library', 'Application Support', 'dragoman'],
    win32: { variable: 'LOCALAPPDATA', within: ['dragoman'] },
  },
  state: {
    variable: 'XDG_STATE_HOME',
    xdg: ['.local', 'state', 'dragoman'],
    darwin: ['Library', 'Application Support', 'dragoman', 'state'],
    win32: { variable: 'LOCALAPPDATA', within: ['dragoman', 'state'] },
  },
} satisfies Record<string, UserPlaces>;

/** The directory for a user's settings and stored keys; undefined without a home directory. */
export function configDirectory(env: Environment): string | undefined {
  return directoryIn(PLACES.config, env);
}

/** The directory for files that can be recreated; undefined without a home directory. */
export function cacheDirectory(env: Environment = process.env): string | undefined {
  return directoryIn(PLACES.cache, env);
}

/** The directory for a server's data; undefined without a home directory. */
export function dataDirectory(env: Environment): string | undefined {
  return directoryIn(PLACES.data, env);
}

/** The directory for files that must survive a crash, such as journals; undefined without a home directory. */
export function stateDirectory(env: Environment = process.env): string | undefined {
  return directoryIn(PLACES.state, env);
}

/** The directory for the files of a user's runs on a project. */
export function userDirectories(env: Environment): {
  readonly cacheDirectory: string | undefined;
  readonly stateDirectory: string | undefined;
} {
  return { cacheDirectory: cacheDirectory(env), stateDirectory: stateDirectory(env) };
}

function directoryIn(places: UserPlaces, env: Environment): string | undefined {
  const { platform } = process;
  const named = env[places.variable];
  if (named?.startsWith('/')) return join(named, 'dragoman');
  if (platform === 'win32') {
    const parent = env[places.win32.variable];
    return parent === undefined || parent === '' ? undefined : join(parent, ...places.win32.within);
  }
  const home = env['HOME'] ?? homedir();
  if (home === '') return undefined;
  return join(home, ...(platform === 'darwin' ? places.darwin : places.xdg));
}
