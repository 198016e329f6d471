import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesBetween, forEach, snapshot } from './room.ts';
import type { AttackRow } from './row.ts';
import { BOMBS } from './server.ts';

/** Files of a checkout that harm whoever translates or checks them. */

const PAIR = ['-s', 'en', '-t', 'fr', '--engine', 'pseudo'];

/** Link destinations that no translation of the page may contain. */
const LINKS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,alert(1)',
  'file:///etc/passwd',
  'vbscript:x',
  '//evil.example/read.md',
  'https://evil.example/read.md',
  '../../../../../etc/passwd',
  '../../../../../etc/passwd.md',
  '/etc/passwd',
  '..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e/%2e%2e/etc/passwd.md',
  '..\\..\\windows',
  'C:\\windows\\x.md',
  '.git/config',
  'node_modules/x.md',
  '%zz',
  '\u202epage.md',
];

/** Markdown that takes quadratic time or more in some parsers. */
const LONG: Readonly<Record<string, string>> = {
  'destinations without an end': '[a](<'.repeat(40_000),
  'runs of backticks of growing length': Array.from({ length: 1_480 }, (_, i) => '`'.repeat(i + 1)).join(' '),
  'references that are not defined': '[a][b] '.repeat(57_000),
  brackets: '['.repeat(200_000),
  emphasis: '*a _b '.repeat(60_000),
  'quotes in quotes': `${'>'.repeat(20_000)} a`,
  'lists in lists': Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i * 2)}- a`).join('\n'),
  'comments without an end': '<!-- a '.repeat(60_000),
  autolinks: 'a@b.c '.repeat(60_000),
  tables: `|${'a|'.repeat(5_000)}\n|${'-|'.repeat(5_000)}\n${`|${'b|'.repeat(5_000)}\n`.repeat(4)}`,
};

export const documentRows: readonly AttackRow[] = [
  {
    attack: `${LINKS.length} links of a Markdown page with --links: schemes, other hosts, paths that lead out`,
    expected: 'the links stay as they are; only links to pages with a translation change',
    async run(trial) {
      const { room } = trial;
      const text = LINKS.map((link) => `[text](<${link}>)`).join('\n\n');
      const cwd = room.checkout({
        'docs/read.md': `${text}\n\n[text](page.md)\n`,
        'docs/page.md': '# Page\n',
        '.git/config': 'x',
      });
      const before = snapshot(cwd);
      const run = await room.run(['markdown', 'docs', '--links', ...PAIR], { cwd });
      trial.equals('the exit code', run.code, 0);
      const now = snapshot(cwd);
      trial.equals('the written page', changesBetween(before, now), ['docs/page.fr.md', 'docs/read.fr.md']);
      const written = Buffer.from(now['docs/read.fr.md'] ?? '', 'latin1').toString();
      for (const link of LINKS)
        trial.holds(`${link} stays`, written.includes(`(<${link}>)`), written.slice(0, 2_000));
      trial.matches('the link to a page', written, /\(page\.fr\.md\)/);
      return `${LINKS.length} links`;
    },
  },
  {
    attack: `${Object.keys(BOMBS).length} files that expand or nest excessively, read by lint, i18n and sync`,
    expected: 'an error with its position, or a translation, within seconds and bounded memory',
    async run(trial) {
      const { room } = trial;
      await forEach(Object.entries(BOMBS), async ([name, content]) => {
        const cwd = room.checkout({ '.git/HEAD': '', [name]: content });
        for (const argv of [
          ['lint', name, '-s', 'en'],
          ['i18n', name, ...PAIR],
        ]) {
          const { code, processorMs, megabytes, stdout, stderr } = await room.run(argv, { cwd });
          trial.holds(`${argv[0]} ${name} ends in time`, code !== null && processorMs < 20_000, {
            code,
            processorMs,
          });
          trial.holds(`${argv[0]} ${name} takes little memory`, megabytes < 700, megabytes);
          trial.lacks(`what ${argv[0]} ${name} says`, stdout + stderr, /\n\s+at |root:|defect/);
        }
      });
      return `${Object.keys(BOMBS).length} files`;
    },
  },
  {
    attack: `${Object.keys(LONG).length} Markdown pages of 200 kB to 1.1 MB that take quadratic time in some parsers`,
    expected: 'each page is read within seconds',
    async run(trial) {
      const { room } = trial;
      let slowest = '';
      let most = 0;
      await forEach(Object.entries(LONG), async ([what, text]) => {
        const cwd = room.checkout({ 'read.md': text });
        const { code, processorMs } = await room.run(['markdown', 'read.md', '--dry-run', ...PAIR], { cwd });
        trial.holds(`"${what}" is read in time`, code !== null && processorMs < 8_000, { code, processorMs });
        if (processorMs > most) [slowest, most] = [what, processorMs];
      });
      return `slowest: ${slowest}, ${(most / 1_000).toFixed(1)} s`;
    },
  },
  {
    attack:
      'SIGTERM while a page that takes long to read, a large YAML file, or a pattern of wildcards is processed',
    expected: 'the command ends within two seconds',
    async run(trial) {
      const { room } = trial;
      const files = {
        'read.md': '[a](<'.repeat(400_000),
        'en.yaml': Array.from({ length: 150_000 }, (_, i) => `k${i}: "Hello ${i} {name}"`).join('\n'),
        [`${'a/'.repeat(60)}en.json`]: '{}',
      };
      const commands = [
        ['markdown', 'read.md', ...PAIR],
        ['i18n', 'en.yaml', ...PAIR],
        ['lint', `${'**/*a'.repeat(9)}*b`],
      ];
      const times: number[] = [];
      for (const argv of commands) {
        const cwd = room.checkout(files);
        const { hung, ms } = await room.run(argv, { cwd, termAfterMs: 1_500, timeoutMs: 20_000 });
        trial.holds(`${argv[0]} ends in time`, !hung && ms < 6_000, { hung, ms });
        times.push(Math.round(ms));
      }
      return `${times.join(', ')} ms in all`;
    },
  },
  {
    attack: 'pipes, devices, directories, links to themselves and 100 MB in place of files',
    expected: 'a message within seconds; no command blocks',
    async run(trial) {
      const { room } = trial;
      const names = [
        'en.json',
        'fr.json',
        'dragoman.config.yaml',
        '.dragomanrc',
        'package.json',
        'glossary.csv',
        'dragoman.lock',
        'locales/en.yaml',
      ];
      const makers: Readonly<Record<string, (path: string) => void>> = {
        pipe: (path) => void execFileSync('mkfifo', [path]),
        'link to /dev/zero': (path) => symlinkSync('/dev/zero', path),
        directory: (path) => mkdirSync(path),
        'link to itself': (path) => symlinkSync(path, path),
        '40 MB': (path) => writeFileSync(path, Buffer.alloc(40_000_000, 'x')),
      };
      const tried = names.flatMap((name) =>
        Object.entries(makers).map(([what, make]) => ({ name, what, make })),
      );
      await forEach(tried, async ({ name, what, make }) => {
        const others = Object.fromEntries(
          ['en.json', 'fr.json'].filter((other) => other !== name).map((other) => [other, '{"a": "One"}']),
        );
        const cwd = room.checkout({ '.git/HEAD': '', ...others });
        mkdirSync(join(cwd, name, '..'), { recursive: true });
        make(join(cwd, name));
        const { code, processorMs, megabytes, stderr } = await room.run(['check', '-s', 'en', '-t', 'fr'], {
          cwd,
        });
        trial.holds(`check with a ${what} as ${name} ends`, code !== null && processorMs < 15_000, {
          code,
          processorMs,
        });
        trial.holds(`a ${what} as ${name} takes little memory`, megabytes < 500, megabytes);
        trial.lacks(`the message for a ${what} as ${name}`, stderr, /\n\s+at |defect/);
      });
      return `${tried.length} files`;
    },
  },
];
