import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  cacheDirectory,
  configDirectory,
  dataDirectory,
  stateDirectory,
} from '../../src/base/user-directories.ts';

function on<T>(platform: NodeJS.Platform, work: () => T): T {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
  return work();
}

describe("the user's directories", () => {
  afterEach(() => vi.restoreAllMocks());

  it('are those of the XDG Base Directory Specification', () => {
    const env = { HOME: '/h' };
    expect(on('linux', () => configDirectory(env))).toBe('/h/.config/dragoman');
    expect(on('linux', () => cacheDirectory(env))).toBe('/h/.cache/dragoman');
    expect(on('linux', () => dataDirectory(env))).toBe('/h/.local/share/dragoman');
    expect(on('linux', () => stateDirectory(env))).toBe('/h/.local/state/dragoman');
  });

  it('follow their variables, unless these are relative or empty', () => {
    expect(on('linux', () => configDirectory({ XDG_CONFIG_HOME: '/x', HOME: '/h' }))).toBe('/x/dragoman');
    expect(on('darwin', () => configDirectory({ XDG_CONFIG_HOME: '', HOME: '/h' }))).toBe(
      '/h/.config/dragoman',
    );
    expect(on('linux', () => cacheDirectory({ XDG_CACHE_HOME: '/c', HOME: '/h' }))).toBe('/c/dragoman');
    expect(on('linux', () => dataDirectory({ XDG_DATA_HOME: 'data', HOME: '/h' }))).toBe(
      '/h/.local/share/dragoman',
    );
    expect(on('linux', () => stateDirectory({ XDG_STATE_HOME: '/s', HOME: '/h' }))).toBe('/s/dragoman');
  });

  it('follow the conventions of other platforms', () => {
    expect(on('darwin', () => cacheDirectory({ HOME: '/h' }))).toBe('/h/Library/Caches/dragoman');
    expect(on('darwin', () => dataDirectory({ HOME: '/h' }))).toBe('/h/Library/Application Support/dragoman');
    expect(on('darwin', () => stateDirectory({ HOME: '/h' }))).toBe(
      '/h/Library/Application Support/dragoman/state',
    );
    expect(on('win32', () => cacheDirectory({ LOCALAPPDATA: '/l' }))).toBe('/l/dragoman/cache');
    expect(on('win32', () => configDirectory({ APPDATA: '/r' }))).toBe('/r/dragoman');
  });

  it('are undefined without a home directory', () => {
    expect(on('linux', () => configDirectory({ HOME: '' }))).toBeUndefined();
    expect(on('win32', () => dataDirectory({}))).toBeUndefined();
  });
});
