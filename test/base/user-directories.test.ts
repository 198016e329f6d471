import { describe, expect, it } from 'vitest';
import {
  cacheDirectory,
  configDirectory,
  dataDirectory,
  stateDirectory,
} from '../../src/base/user-directories.ts';

describe("the user's directories", () => {
  it('are those of the XDG Base Directory Specification', () => {
    const env = { HOME: '/h' };
    expect(configDirectory(env, 'linux')).toBe('/h/.config/dragoman');
    expect(cacheDirectory(env, 'linux')).toBe('/h/.cache/dragoman');
    expect(dataDirectory(env, 'linux')).toBe('/h/.local/share/dragoman');
    expect(stateDirectory(env, 'linux')).toBe('/h/.local/state/dragoman');
  });

  it('follow their variables, unless these are relative or empty', () => {
    expect(configDirectory({ XDG_CONFIG_HOME: '/x', HOME: '/h' }, 'linux')).toBe('/x/dragoman');
    expect(configDirectory({ XDG_CONFIG_HOME: '', HOME: '/h' }, 'darwin')).toBe('/h/.config/dragoman');
    expect(cacheDirectory({ XDG_CACHE_HOME: '/c', HOME: '/h' }, 'linux')).toBe('/c/dragoman');
    expect(dataDirectory({ XDG_DATA_HOME: 'data', HOME: '/h' }, 'linux')).toBe('/h/.local/share/dragoman');
    expect(stateDirectory({ XDG_STATE_HOME: '/s', HOME: '/h' }, 'linux')).toBe('/s/dragoman');
  });

  it('follow the conventions of other platforms', () => {
    expect(cacheDirectory({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Caches/dragoman');
    expect(dataDirectory({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Application Support/dragoman');
    expect(stateDirectory({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Application Support/dragoman/state');
    expect(cacheDirectory({ LOCALAPPDATA: '/l' }, 'win32')).toBe('/l/dragoman/cache');
    expect(configDirectory({ APPDATA: '/r' }, 'win32')).toBe('/r/dragoman');
  });

  it('are undefined without a home directory', () => {
    expect(configDirectory({ HOME: '' }, 'linux')).toBeUndefined();
    expect(dataDirectory({}, 'win32')).toBeUndefined();
  });
});
