import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../src/project/config/configuration.ts';
import { loadUserConfiguration } from '../../src/project/config/user.ts';
import { ProjectDirectory } from './project-directory.ts';

describe('services in the configuration', () => {
  it('spell an address in one way', async () => {
    const project = new ProjectDirectory({
      'dragoman.config.yaml':
        'service: {baseUrl: "HTTPS://A.Example:443/x//", api: v1, timeout: 5}\nprofiles: {b.1: {baseUrl: "http://127.0.0.1:80"}}\n',
    });
    expect((await loadConfiguration(project.path))?.configuration).toEqual({
      service: { baseUrl: 'https://a.example/x', api: 'v1', timeout: 5 },
      profiles: { 'b.1': { baseUrl: 'http://127.0.0.1' } },
    });
  });

  it.each([
    ['service: {}', 1, /needs a `baseUrl` or a `profile`/, undefined],
    [
      'service: {baseURL: "https://a.example"}',
      1,
      /`service.baseURL` is not a setting/,
      /Did you mean baseUrl\?/,
    ],
    ['service: {baseUrl: "a.example"}', 1, /is not a URL/, undefined],
    ['service:\n  baseUrl: https://u:hunter22@a.example', 2, /^(?!.*hunter22).*password/, undefined],
    ['service: {baseUrl: "https://a.example/?k=1"}', 1, /query/, undefined],
    ['service: {baseUrl: "https://a.example", api: v3}', 1, /cannot be "v3"/, /v1, v2/],
    ['service: {baseUrl: "https://a.example", timeout: 0}', 1, /from 1 to 3600/, undefined],
    ['profiles: {one: {api: v1}}', 1, /needs a `baseUrl`/, undefined],
    ['profiles: {"a b": {baseUrl: "https://a.example"}}', 1, /valid profile name/, /letters/],
    [
      'service:\n  baseUrl: https://a.example\n  apiKey: hunter22',
      3,
      /^(?!.*hunter22).*key/,
      /dragoman login/,
    ],
    [
      'profiles:\n  a:\n    baseUrl: https://a.example\n    api_key: hunter22',
      4,
      /profiles.a.api_key/,
      /login/,
    ],
    ['token: hunter22', 1, /^(?!.*hunter22).*key/, /dragoman login/],
  ])('are refused: %j', async (text, line, message, hint) => {
    const project = new ProjectDirectory({ '.dragomanrc': `${text}\n` });
    await expect(loadConfiguration(project.path)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(message) as string,
      at: { line },
      ...(hint && { hint: expect.stringMatching(hint) as string }),
    });
  });
});

describe("the user's configuration", () => {
  it('has services and engines, and nothing project-specific', async () => {
    const home = new ProjectDirectory({
      'dragoman/config.json': '{"engine": "pseudo", "service": {"profile": "a"}}',
    });
    const env = { XDG_CONFIG_HOME: home.path };
    expect((await loadUserConfiguration(env))?.configuration).toEqual({
      engine: 'pseudo',
      service: { profile: 'a' },
    });
    home.write('dragoman/config.yaml', 'targets: [fr]\n');
    await expect(loadUserConfiguration(env)).rejects.toMatchObject({ message: '`targets` is not a setting' });
    expect(await loadUserConfiguration({ XDG_CONFIG_HOME: '/nowhere' })).toBeUndefined();
  });
});
