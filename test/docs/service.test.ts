import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { loadConfiguration } from '../../src/project/config/configuration.ts';
import { BIN } from '../server/served.ts';
import { projectWith } from '../cli/harness.ts';
import { startService } from '../cli/service.ts';
import { blocksOf, commandsOf, readDocument } from './document.ts';

const DOCUMENT = 'docs/service.md';

const service = startService();
const LIMITS = { timeout: 180_000 };

// Runs the program a dozen times, one after the other.
it('the commands of the chapter run unchanged with the bundle against a real server', LIMITS, async () => {
  const root = projectWith({ '.git/HEAD': '', '.programs/x': '', 'locales/en.json': '{"a": "One"}' });
  const program = join(root, '.programs/dragoman');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, { mode: 0o755 });
  const env = {
    PATH: `${join(root, '.programs')}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: root,
    DRAGOMAN_BASE_URL: service.url,
    DRAGOMAN_API_KEY: service.key,
  };
  // After the login, the key is in the configuration directory and in no variable.
  const [login = '', ...rest] = commandsOf(DOCUMENT).join('').split('\n');
  const script = [login, 'unset DRAGOMAN_API_KEY', ...rest, 'dragoman sync locales -s en -t fr'].join('\n');
  const { stdout, stderr } = await promisify(execFile)('sh', ['-euc', script], {
    cwd: root,
    env,
    timeout: LIMITS.timeout - 5_000,
  });
  expect(stdout).toMatch(/^credits +[\d,]+ of 100,000 remaining/m);
  expect(stdout).toMatch(/\{name\}!$/m);
  expect(stdout).toMatch(/completed, 2 of 2 keys$/m);
  expect(stdout + stderr).not.toContain(service.key);
  expect(statSync(join(root, '.config/dragoman/credentials.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(root, 'out')).sort()).toEqual([
    'messages_de.json',
    'messages_es.json',
    'messages_fr.json',
    'movie.fr.srt',
  ]);
  expect(existsSync(join(root, 'locales/fr.json'))).toBe(true);
  expect(JSON.parse((await service.run(['jobs', 'list', '--json'])).stdout)).toEqual([]);
});

it('the configuration in the chapter is valid', async () => {
  const blocks = blocksOf(readDocument(DOCUMENT)).filter(({ language }) => language === 'yaml');
  expect(blocks.length).toBe(1);
  const text = blocks[0]?.text ?? '';
  const root = projectWith({ '.git/HEAD': '', 'dragoman.config.yaml': text });
  expect((await loadConfiguration(root))?.configuration).toMatchObject({
    service: { baseUrl: 'https://translate.example.com' },
    profiles: { staging: { timeout: 120 } },
  });
});
