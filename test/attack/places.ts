import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesBetween, forEach, snapshot, type Files } from './room.ts';
import type { AttackRow, Trial } from './row.ts';

/** Checkouts that try to make the program write outside of their files. */

const GIT_CONFIG = '[core]\n\tbare = false\n';
const FILES: Files = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': GIT_CONFIG,
  'node_modules/pkg/locales/keep': '',
  'locales/en.json': '{"a": "One"}\n',
};

type Rule = Readonly<Record<string, unknown>>;

const configured = (rule: Rule, rest: Rule = {}): string =>
  JSON.stringify({
    source: 'en',
    targets: ['fr'],
    engine: 'pseudo',
    files: [{ source: 'locales/en.json', ...rule }],
    ...rest,
  });

/** Target patterns that contain the name of the language. */
const TARGETS: readonly (readonly [target: string, fr?: string])[] = [
  ['.git/{locale}', 'config'],
  ['.GIT/{locale}.json'],
  ['.gIt/hooks/{locale}.json', 'pre-commit'],
  ['{locale}/config.json', '.git'],
  ['{locale}/x.json', '..'],
  ['../{locale}.json'],
  ['../../{locale}.json'],
  ['/tmp/{locale}.json'],
  ['locales/../../{locale}.json'],
  ['locales/{locale}/en.json', 'x/..'],
  ['locales/{locale}/en.json', '../../../x'],
  ['.github/workflows/{locale}.yml'],
  ['.husky/{locale}.json', 'pre-commit'],
  ['.vscode/{locale}.json', 'settings'],
  ['a/{locale}', '.npmrc'],
  ['node_modules/pkg/{locale}.json', 'package'],
  ['NODE_MODULES/pkg/{locale}.json'],
  ['{locale}/pkg/x.json', 'Node_Modules'],
  ['GIT~1/{locale}.json'],
  ['.git./{locale}.json'],
  ['.git /{locale}.json'],
  ['.git::$INDEX_ALLOCATION/{locale}.json'],
  ['\u200c.git/{locale}.json'],
  ['.g\u200dit/{locale}.json'],
  ['.ｇit/{locale}.json'],
  ['bin/{locale}.sh'],
  ['Makefile.{locale}', 'am'],
  ['dragoman.{locale}', 'lock'],
  ['Dragoman.{locale}.yaml', 'config'],
  ['{locale}.json', 'package'],
  ['{locale}.json', 'PACKAGE'],
  ['{locale}.json', 'a\0'],
  ['{locale}.json', 'con'],
];

export const placeRows: readonly AttackRow[] = [
  {
    attack: `${TARGETS.length} targets in .git, node_modules, hidden and outer directories, in any case`,
    expected: 'only localization files are written',
    async run(trial) {
      let [refused, written] = [0, 0];
      await forEach(TARGETS, async ([target, fr]) => {
        const text = configured({ target }, fr === undefined ? {} : { locales: { fr } });
        const names = await filesWritten(trial, {
          ...FILES,
          'dragoman.config.json': text,
          'tsconfig.json': '{}',
          'package.json': '{}',
        });
        const bad = names.filter((name) => !/^(?:checkout\/)?(?:con\.json|dragoman\.lock)$/.test(name));
        trial.equals(`the files that ${target} with ${fr} has written`, bad, []);
        if (names.length === 0) refused++;
        else written++;
      });
      return `${refused} refused, ${written} written as a plain file`;
    },
  },
  {
    attack: 'links in place of targets, their directories, the lock and temporary files',
    expected: 'nothing is written through them',
    async run(trial) {
      const { room } = trial;
      const outside = room.checkout({
        'en.json': 'outside',
        'fr.json': 'outside',
        'fr/x.json': 'outside',
        plain: 'outside',
      });
      const links: readonly (readonly [name: string, to: string])[] = [
        ['out/fr', '../.git'],
        ['out/fr', '../.git/.'],
        ['out/fr', '../node_modules/pkg/locales'],
        ['out/fr', outside],
        ['out/fr/config.json', join(outside, 'fr.json')],
        ['out/fr/config.json', join(outside, 'not-there.json')],
        ['out/fr/config.json', '../../.git/config'],
        ['out/fr/config.json', '../../dragoman.config.json'],
        ['out/fr/.config.json.dragoman-tmp', join(outside, 'plain')],
        ['dragoman.lock', '.git/config'],
        ['dragoman.lock', join(outside, 'plain')],
        ['.dragoman.lock.dragoman-tmp', join(outside, 'plain')],
        ['.dragoman-sync', join(outside, 'plain')],
        ['.dragoman-sync', join(outside, 'new')],
      ];
      const before = snapshot(outside);
      await forEach(links, async ([name, to]) => {
        const cwd = room.checkout({
          ...FILES,
          'dragoman.config.json': configured({ target: 'out/{locale}/config.json' }),
        });
        mkdirSync(join(cwd, name, '..'), { recursive: true });
        symlinkSync(to, join(cwd, name));
        const own = snapshot(cwd);
        const { code } = await room.run(['sync'], { cwd });
        trial.holds(`sync with ${name} -> ${to} ends`, code !== null);
        const changed = changesBetween(own, snapshot(cwd)).filter((path) =>
          /^\.git|^node_modules|config\.json$/.test(path),
        );
        const isOwn = (path: string): boolean => path === 'out/fr/config.json' && code === 0;
        trial.equals(
          `the changes through ${name} -> ${to}`,
          changed.filter((path) => !isOwn(path)),
          [],
        );
      });
      trial.equals('the changes outside the project', changesBetween(before, snapshot(outside)), []);
      return `${links.length} links`;
    },
  },
  {
    attack:
      'a configured translation memory in .git, in a hidden directory, in node_modules, outside, or behind a link',
    expected: 'no file is created there',
    async run(trial) {
      const { room } = trial;
      const places = [
        '.git/x.db',
        '.GIT/x.db',
        '.hidden/x.db',
        'node_modules/x.db',
        'link/x.db',
        '../x.db',
        '/tmp/dragoman-attack-x.db',
        'en.json',
        'package.json',
        '~/x.db',
        'a/../../x.db',
      ];
      await forEach(places, async (memory) => {
        const cwd = room.checkout({
          ...FILES,
          '.hidden/x': '',
          'en.json': '{}',
          'package.json': '{}',
          'dragoman.config.json': configured({ target: 'locales/{locale}.json' }, { memory }),
        });
        symlinkSync('.git', join(cwd, 'link'));
        const before = snapshot(cwd);
        const { code } = await room.run(['sync'], { cwd, env: { DRAGOMAN_MEMORY: '' } });
        const made = changesBetween(before, snapshot(cwd)).filter(
          (name) => !/^locales|^dragoman\.lock$|^~/.test(name),
        );
        trial.equals(`the files that the memory ${memory} has created`, made, []);
        const isFile = memory.startsWith('~') || memory.endsWith('.json');
        trial.holds(`${memory} is refused`, code === 2 || isFile, code);
      });
      trial.holds('nothing is in /tmp', !existsSync('/tmp/dragoman-attack-x.db'));
      return `${places.length} places`;
    },
  },
  {
    attack: 'outputs of i18n, html, markdown and subtitles in a directory (-o) whose links lead elsewhere',
    expected: 'the file behind the link is not changed',
    async run(trial) {
      const { room } = trial;
      const outside = room.checkout({ victim: 'outside' });
      const files: Files = {
        'a/en.json': '{"a": "One"}',
        'a/page.html': '<p>One</p>',
        'a/read.md': '# One',
        'a/movie.srt': '1\n00:00:01,000 --> 00:00:02,000\nOne\n',
      };
      const commands = [
        ['i18n', 'a/en.json', 'en_fr.json'],
        ['html', 'a/page.html', 'page.fr.html'],
        ['markdown', 'a', 'read.fr.md'],
        ['subtitles', 'a', 'movie.fr.srt'],
      ] as const;
      await forEach(commands, async ([command, input, name]) => {
        for (const place of [join('out', name), join('a', name)]) {
          const cwd = room.checkout(files);
          mkdirSync(join(cwd, place, '..'), { recursive: true });
          symlinkSync(join(outside, 'victim'), join(cwd, place));
          const output = place.startsWith('out') ? ['-o', 'out'] : [];
          const argv = [command, input, '-s', 'en', '-t', 'fr', '--engine', 'pseudo', '--force', ...output];
          const { code } = await room.run(argv, { cwd });
          trial.holds(`${command} over ${place} ends`, code !== null);
        }
      });
      trial.equals('the directory outside the project', snapshot(outside), { victim: 'outside' });
      return `${commands.length * 2} links`;
    },
  },
];

/** Everything that a sync of a checkout writes, inside and around it. */
async function filesWritten({ room }: Trial, files: Files): Promise<readonly string[]> {
  const around = room.directory();
  const cwd = join(around, 'checkout');
  mkdirSync(cwd);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(cwd, name, '..'), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const before = snapshot(around);
  await room.run(['sync'], { cwd });
  return changesBetween(before, snapshot(around)).filter((name) => snapshot(around)[name] !== '/');
}
