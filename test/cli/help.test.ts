import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { isGroup, type CommandEntry } from '../../src/cli/output/command.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { dragoman } from './harness.ts';

/** Two screens of a terminal of default size. */
const LINES = 48;

interface Known {
  readonly words: readonly string[];
  readonly options: readonly string[];
}

async function commandsOf(
  entries: readonly CommandEntry[],
  path: readonly string[] = [],
): Promise<readonly Known[]> {
  const below = entries.map(async (entry): Promise<readonly Known[]> => {
    const { name } = entry;
    const module = await entry.load();
    const words = [...path, name];
    if (isGroup(module)) return [{ words, options: [] }, ...(await commandsOf(module.commands, words))];
    const command = new Command();
    module.configure?.(command);
    const shown = command.options.filter(({ hidden }) => !hidden);
    return [{ words, options: shown.map(({ long }) => long ?? '') }];
  });
  return (await Promise.all(below)).flat();
}

const all = [{ words: [], options: [] }, ...(await commandsOf(COMMANDS))];

/** Command lines are for copying, so they are not wrapped. */
const isProse = (line: string): boolean => !/^ {2}\$ |^Usage: /.test(line);

describe.each(all.map((known) => [known.words.join(' '), known] as const))(
  'dragoman %s --help',
  (_, known) => {
    const { words, options } = known;

    it.each([80, 50])('fits into %i columns', async (columns) => {
      const help = await dragoman([...words, '--help'], { tty: true, columns });
      expect(help).toMatchObject({ exitCode: 0, stderr: '' });
      const long = help.stdout.split('\n').filter((line) => isProse(line) && line.length > columns);
      expect(long).toEqual([]);
      if (columns === 80) expect(help.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(LINES);
    });

    it('shows the remaining options with --all', async () => {
      const short = await dragoman([...words, '--help']);
      const { stdout } = await dragoman([...words, '--help', '--all']);
      const missing = options.filter((option) => !new RegExp(`^ .*${option}(?![\\w-])`, 'm').test(stdout));
      expect(missing).toEqual([]);
      expect(stdout).not.toContain('--help --all');
      if (stdout.length > short.stdout.length)
        expect(short.stdout.trimEnd()).toMatch(
          /\n(?:\d+ more options?|More|All commands and options):\s+dragoman [a-z0-9 -]*--help --all$/,
        );
    });

    it('is where options that do not exist are looked up; only typos have a suggestion', async () => {
      for (const option of ['force', 'all-languages', 'lang', 'output', 'dryrun', 'quite']) {
        if (options.includes(`--${option}`)) continue;
        const { exitCode, stderr } = await dragoman([...words, `--${option}`]);
        expect(exitCode, stderr).toBe(2);
        // A missing option is reported first.
        if (stderr.includes('required option') || (words[0] === 'review' && option === 'force')) continue;
        expect(stderr).toContain(' --help --all lists the options.');
        const typo = { quite: '--quiet', dryrun: options.find((one) => one === '--dry-run') }[option];
        expect(/Did you mean (.*)\?/.exec(stderr)?.[1]).toBe(typo);
      }
    });

    it('equals the output of dragoman help', async () => {
      expect((await dragoman(['help', ...words])).stdout).toBe((await dragoman([...words, '--help'])).stdout);
    });
  },
);

describe('help', () => {
  it.each([[[]], [['sync']], [['jobs', 'create']]])('--all for %j shows every option', async (words) => {
    const all = await dragoman(['help', ...words, '--all']);
    expect(all).toEqual(await dragoman([...words, '--help', '--all']));
    expect(all.exitCode).toBe(0);
    expect(all.stdout).not.toContain('--help --all');
  });

  it('for the program lists commands by purpose', async () => {
    expect((await dragoman(['--help'], { tty: true, columns: 80 })).stdout.trimEnd()).toBe(PROGRAM);
    const all = (await dragoman(['help', '--all'], { tty: true, columns: 80 })).stdout;
    for (const { name, summary } of COMMANDS) {
      expect(all).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 40)}`, 'm'));
      expect(PROGRAM).toMatch(new RegExp(`(?:^  |: +|, )${name}(?:,| |$)`, 'm'));
    }
  });

  it('has groups, and shows the most important options first', async () => {
    expect((await dragoman(['translate', '--help'])).stdout.trimEnd()).toBe(TRANSLATE);
  });

  it('adapts to a narrow terminal', async () => {
    expect((await dragoman(['status', '--help'], { columns: 50 })).stdout.trimEnd()).toBe(STATUS);
  });

  it.each([
    [['nonsense'], 'unknown command "nonsense"', 'dragoman --help lists the commands.'],
    [['synk'], 'unknown command "synk"', 'Did you mean sync? dragoman --help lists the commands.'],
    [['snyc'], 'unknown command "snyc"', 'Did you mean sync? dragoman --help lists the commands.'],
    [
      ['jobs', 'creat'],
      'unknown command "jobs creat"',
      'Did you mean create? dragoman jobs --help lists the commands.',
    ],
    [['sync', 'x'], 'unknown command "sync x"', 'dragoman sync --help describes the command.'],
  ])('is printed for %j', async (words, message, hint) => {
    const failure = { exitCode: 2, stdout: '', stderr: `error: ${message}\n  ${hint}\n` };
    expect(await dragoman(['help', ...words])).toEqual(failure);
    if (words[0] !== 'sync') expect(await dragoman(words)).toEqual(failure);
  });
});

describe('an unknown option', () => {
  it.each([
    ['--force', undefined],
    ['--all-languages', undefined],
    ['--lang', undefined],
    ['--output', undefined],
    ['--help-me', undefined],
    ['-v', undefined],
    ['--quite', '--quiet'],
    ['--dryrun', '--dry-run'],
    ['--verbos', '--verbose'],
    ['--sources=de', '--source'],
    ['--hlep', '--help'],
  ])('%s of sync suggests %s', async (option, meant) => {
    const rest = 'dragoman sync --help --all lists the options.';
    const hint = meant === undefined ? rest : `Did you mean ${meant}? ${rest}`;
    expect(await dragoman(['sync', option])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `error: unknown option "${option}"\n  ${hint}\n`,
    });
  });
});

const PROGRAM = `Usage: dragoman [options] [command]

Translates localization files, subtitles, HTML, e-mails and texts. Only values
change.

Options:
  -V, --version  print the version

Output:
  --json         print exactly one JSON document on standard output
  --quiet        print results and errors only
  -h, --help     print help; with --all, every option

Projects:
  init           find the layout of the project and write its configuration
  sync           translate new and changed texts of a project
  status         show the coverage per language
  review         approve or reject translations
  export         write texts for translators: XLIFF, PO or XLSX
  import         import the translations in files from translators
  lint           check placeholders, plurals, escapes and encodings of the files
  check          CI gate: fail if anything is missing, stale, extra or broken

Files and texts:
  i18n           translate whole localization files, one new file per language
  markdown       translate Markdown and MDX documents
  html           translate the texts of web pages
  email          translate an e-mail message, or a subject and an HTML body
  subtitles      translate subtitle files, or convert them into another format
  translate      translate texts, or standard input
  batch          translate lines or a JSON array of texts, one result for each
  detect         detect the language of texts or of standard input

Other commands:
  Engines:       engines, memory, eval, languages, formats
  Service:       login, logout, account, jobs, health
  Server:        serve, keys, store, webhooks
  Program:       config, doctor, version, completion, help

All commands and options: dragoman --help --all`;

const TRANSLATE = `Usage: dragoman translate [options] [text...]

translate texts, or standard input

Arguments:
  text                  texts; default: standard input

Languages:
  -s, --source <code>   the source language
  -t, --target <codes>  target languages, separated by commas or repeated

Engine:
  --engine <name>       engines to try in order, separated by commas; default:
                        the first that supports the language pair

Service:
  --base-url <url>      use the service at this address, not a local engine
  --profile <name>      use the service with this name in the configuration

Memory and glossary:
  --glossary <file>     terms with translations; default: glossary.csv of the
                        project
  --memory <file>       the translation memory; default: one for all projects

Output:
  --json                print exactly one JSON document on standard output
  --quiet               print results and errors only
  -h, --help            print help; with --all, every option

Examples:
  $ dragoman translate -s en -t es,ca "Good morning"
      one line for each target language
  $ dragoman translate -t es < letter.txt > carta.txt
      a whole text, detecting its language

12 more options: dragoman translate --help --all`;

const STATUS = `Usage: dragoman status [options] [path...]

show the coverage per language

Arguments:
  path
      directories or files of the project;
      default: all of it

Languages:
  -s, --source <code>
      the source language
  -t, --target <codes>
      target languages, separated by commas or
      repeated

Options:
  --similar
      also list translations of similar texts from
      the memory

Memory and glossary:
  --memory <file>
      the translation memory; default: one for all
      projects

Output:
  --json
      print exactly one JSON document on standard
      output
  --quiet
      print results and errors only
  --report <file>
      write an HTML page of all keys with their
      translations
  --badge <file>
      write an SVG badge with the share of
      translated keys
  -h, --help
      print help; with --all, every option

Examples:
  $ dragoman status
      coverage per language of the project here
  $ dragoman status locales -s en -t es,fr
      of files that have never been synced

6 more options: dragoman status --help --all`;
