import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { journalPath } from '../../src/project/state/journal.ts';
import { snapshot, type Ended, type Files, type Room } from './room.ts';
import type { AttackRow } from './row.ts';

/** Forged leftovers of earlier runs: journals, locks and remembered state. */

const SYNC = ['sync', 'locales', '-s', 'en', '-t', 'fr', '--engine', 'pseudo'];
const SOURCE = { 'locales/en.json': '{\n  "a": "Save {file}",\n  "b": "Open"\n}\n' };

interface Forged {
  readonly cwd: string;
  readonly home: string;
  readonly journal: string;
  readonly run: (argv?: readonly string[]) => Promise<Ended>;
  readonly translation: () => string;
}

/** A checkout, and a home directory with its journal, which somebody else forged. */
function forge(room: Room, files: Files = SOURCE): Forged {
  const [cwd, home] = [room.checkout({ '.git/HEAD': '', ...files }), room.directory()];
  const journal = journalPath(realpathSync(cwd), join(home, '.local/state/dragoman'));
  mkdirSync(dirname(journal), { recursive: true, mode: 0o700 });
  return {
    cwd,
    home,
    journal,
    run: (argv = SYNC) => room.run(argv, { cwd, env: { HOME: home } }),
    translation: () => readFileSync(join(cwd, 'locales/fr.json'), 'utf8'),
  };
}

function segment(tagged: string, translation: string): readonly [string, string] {
  const key = JSON.stringify(['pseudo', 'en', 'fr', tagged]);
  return [createHash('sha256').update(key).digest('hex').slice(0, 32), translation];
}

const lines = (...entries: readonly object[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

export const journalRows: readonly AttackRow[] = [
  {
    attack: 'a journal that comes with the checkout',
    expected: 'the journal is not read',
    async run(trial) {
      const text = lines({
        segments: [segment('Open', 'FORGED'), segment('Save <x id="1"/>', 'FORGED <x id="1"/>')],
      });
      const { cwd, run, translation } = forge(trial.room, {
        ...SOURCE,
        '.dragoman-journal': text,
        'locales/.dragoman-journal': text,
        '.local/state/dragoman/projects/x/journal': text,
      });
      const { code } = await run();
      trial.equals('the exit code', code, 0);
      trial.lacks('the translation', translation(), 'FORGED');
      // The state directory belongs to the user: nothing in the checkout can choose another one.
      const inside = await trial.room.run(SYNC, { cwd, env: { XDG_STATE_HOME: '.local/state' } });
      trial.equals('the exit code with a relative XDG_STATE_HOME', inside.code, 0);
      return 'translated anew';
    },
  },
  {
    attack: "a forged journal in the user's state directory: damaged translations",
    expected: 'no translation that fails verification is written',
    async run(trial) {
      const armed = forge(trial.room);
      writeFileSync(armed.journal, lines({ segments: [segment('Open', 'FORGED')] }));
      await armed.run();
      trial.matches('a valid translation in a journal', armed.translation(), /FORGED/);
      const evil = [
        'Enregistrer',
        '<x id="1"/><x id="1"/>',
        '<x id="2"/>',
        '</x>',
        '<x id="1">x',
        '\ud800<x id="1"/>',
        '<x id="1"/>\u0000',
      ];
      for (const answer of evil) {
        const { journal, run, translation } = forge(trial.room);
        writeFileSync(journal, lines({ segments: [segment('Save <x id="1"/>', answer)] }));
        const { code } = await run();
        trial.holds(`${answer}: the run ends`, code === 0 || code === 7, code);
        const { a } = JSON.parse(translation()) as { a?: string };
        trial.holds(
          `${answer}: the placeholder is kept`,
          a === undefined || (a.match(/\{file\}/g) ?? []).length === 1,
          a,
        );
      }
      return `${evil.length} translations refused`;
    },
  },
  {
    attack:
      "a forged journal with targets outside the project, lock lines of missing files, and other users' jobs",
    expected: 'nothing outside the project is removed or written',
    async run(trial) {
      const { room } = trial;
      const outside = room.checkout({
        '.victim.dragoman-tmp': 'x',
        victim: 'x',
        '.config.dragoman-tmp': 'x',
      });
      const { cwd, journal, run } = forge(room, {
        ...SOURCE,
        '.git/.config.dragoman-tmp': 'x',
        '.git/config': 'x',
      });
      symlinkSync(outside, join(cwd, 'link'));
      const target = (path: string): object => ({
        target: path,
        lines: ['a\tb\tfr\tx\ty\tz', '\u0000', 'locales/en.json\ta\tfr\t0\t0\t0'],
      });
      writeFileSync(
        journal,
        lines(
          { scope: { paths: [''], targets: ['fr'] } },
          target(`../${outside.split('/').at(-1)}/victim`),
          target(join(outside, 'victim')),
          target('link/victim'),
          target('.git/config'),
          {
            job: {
              name: 'x',
              id: '../../etc/passwd',
              file: '../../../etc/passwd',
              digest: 'x',
              locales: ['fr', '../..'],
            },
          },
          { job: { name: '__proto__', id: 'x', file: 'locales/en.json', digest: 'x', locales: ['fr'] } },
          { segments: [['__proto__', 'x'], 'x', [1, 2], null] },
          { lines: 'x', target: 1, scope: 'x' },
        ),
      );
      const before = snapshot(outside);
      const { code } = await run();
      trial.equals('the exit code', code, 0);
      trial.equals('the directory outside the project', snapshot(outside), before);
      trial.holds(
        '.git is unchanged',
        snapshot(cwd)['.git/.config.dragoman-tmp'] === 'x' && snapshot(cwd)['.git/config'] === 'x',
      );
      return 'nothing touched';
    },
  },
  {
    attack: 'a pipe, a link, a directory, a device, 300 MB and 100,000 brackets in place of the journal',
    expected: 'a message, or a run that ignores the journal, within seconds',
    async run(trial) {
      const victim = join(trial.room.checkout({ victim: 'untouched\n' }), 'victim');
      const makers: Readonly<Record<string, (path: string) => void>> = {
        pipe: (path) => void execFileSync('mkfifo', [path]),
        link: (path) => symlinkSync(victim, path),
        directory: (path) => mkdirSync(path),
        device: (path) => symlinkSync('/dev/zero', path),
        large: (path) => {
          writeFileSync(path, '');
          truncateSync(path, 300_000_000);
        },
        deep: (path) => writeFileSync(path, `{"segments":${'['.repeat(100_000)}\n`),
      };
      for (const [name, make] of Object.entries(makers)) {
        const { journal, run } = forge(trial.room);
        make(journal);
        const { code, stderr, processorMs: ms, megabytes } = await run();
        trial.holds(`a ${name} ends in time`, code !== null && ms < 15_000, { code, ms });
        trial.holds(`a ${name} takes little memory`, megabytes < 500, megabytes);
        trial.lacks(`the message for a ${name}`, stderr, /\n\s+at /);
      }
      trial.equals('the file behind the link', readFileSync(victim, 'utf8'), 'untouched\n');
      return `${Object.keys(makers).length} places`;
    },
  },
  {
    attack: 'a lock that claims that a person’s texts are ours, names other files, or is 100 MB',
    expected: 'no text is lost, and nothing is written elsewhere',
    async run(trial) {
      const { room } = trial;
      const { cwd, run, translation } = forge(room);
      await run();
      const lock = readFileSync(join(cwd, 'dragoman.lock'), 'utf8');
      const forged = lock.replaceAll('locales/en.json', '../outside/en.json').replaceAll('fr', '../../fr');
      for (const text of [
        forged,
        `${lock}${'x\t'.repeat(1_000)}\n`,
        '\u0000',
        `${lock}<<<<<<< ours\n`,
        '['.repeat(500_000),
      ]) {
        writeFileSync(join(cwd, 'dragoman.lock'), text);
        const { code, processorMs: ms, stderr } = await run();
        trial.holds('a forged lock ends in time', code !== null && ms < 15_000, { code, ms });
        trial.lacks('the message', stderr, /\n\s+at /);
      }
      writeFileSync(join(cwd, 'dragoman.lock'), '');
      truncateSync(join(cwd, 'dragoman.lock'), 600_000_000);
      const large = await run();
      trial.equals('the exit code with a lock of 600 MB', large.code, 2);
      trial.holds('sync takes little memory', large.megabytes < 400, large.megabytes);
      // A person's text, and a lock that records it as ours: the other checkout's claim must not be enough to change
      // its bytes.
      const person = forge(room, {
        ...SOURCE,
        'locales/fr.json': '{\n  "a": "Enregistrer {file}",\n  "b": "Ouvrir"\n}\n',
        'dragoman.lock': lock,
      });
      await person.run();
      trial.matches('the texts of a person', person.translation(), /Enregistrer \{file\}[^]*Ouvrir/);
      trial.matches('the translation', translation(), /\{file\}/);
      return `exit code ${large.code} for the largest`;
    },
  },
];
