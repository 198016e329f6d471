import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from '../cli/harness.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/formats/lang.py');
const COMMAND = `python3 "${EXAMPLE}"`;
const hasPython = spawnSync('python3', ['--version']).status === 0;

const EN =
  '# Menus\nmenu.open=Open %s\nmenu.größe=Größe %1$s\r\n\n## Leave the game\nmenu.quit=Quit\t## tail\n#menu.old=x\n';

describe.runIf(hasPython)('the example of a custom format', () => {
  it('fulfils the contract of a format', async () => {
    const cwd = projectWith({ 'en_us.lang': EN });
    const { stdout } = await dragoman(['formats', 'check', COMMAND, 'en_us.lang', '--trials', '200'], {
      cwd,
    });
    expect(stdout.replace(/^ok: .*\n/gm, '')).toBe('');
  });

  it('keeps a project up to date', async () => {
    const cwd = projectWith({
      '.git/HEAD': '',
      'lang/en_us.lang': EN,
      'lang/es_es.lang': 'menu.quit=Salir\n',
    });
    const argv = ['sync', '-s', 'en', '-t', 'es-ES,fr-FR', '--engine', 'pseudo', '--no-memory'];
    expect(await dragoman([...argv, '--format-command', `lang=${COMMAND}`], { cwd })).toMatchObject({
      exitCode: 0,
    });
    expect(readFileSync(join(cwd, 'lang/fr_fr.lang'), 'utf8')).toBe(
      '# Menus\nmenu.open=Öþéñ %s\nmenu.größe=Ĝŕößé %1$s\r\n\n## Leave the game\nmenu.quit=Ǫûîţ\t## tail\n#menu.old=x\n',
    );
    expect(readFileSync(join(cwd, 'lang/es_es.lang'), 'utf8')).toBe(
      '# Menus\nmenu.open=Öþéñ %s\nmenu.größe=Ĝŕößé %1$s\nmenu.quit=Salir\n',
    );
  });
});
