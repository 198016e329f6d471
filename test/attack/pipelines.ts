import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { FILTERS, settingText } from '../git/hostile-checkouts.ts';
import { listener } from './keys.ts';
import { BIN, writeFiles, type Files, type Room } from './room.ts';
import type { AttackRow, Trial } from './row.ts';

/** The GitHub action and the GitLab component, in a project and with variables that an attacker controls. */

const ROOT = join(import.meta.dirname, '../..');
const TOKEN = 'ghs_secretTokenOfTheTest';

interface Project {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  readonly trap: ReturnType<Room['trap']>;
}

/** A repository with an origin, whose npm installs the program of this checkout. */
function project({ room }: Trial, files: Files): Project {
  const directory = room.directory();
  const [path, bin, origin] = [
    join(directory, 'project'),
    join(directory, 'bin'),
    join(directory, 'origin.git'),
  ];
  for (const made of [path, bin]) mkdirSync(made);
  const npm = `#!/bin/sh\nmkdir -p node_modules/.bin && ln -sf '${BIN}' node_modules/.bin/dragoman\n`;
  writeFileSync(join(bin, 'npm'), npm);
  chmodSync(join(bin, 'npm'), 0o755);
  const env = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: directory,
    CI: 'true',
    GIT_CONFIG_NOSYSTEM: '1',
    DRAGOMAN_ENGINE: 'pseudo',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b.c',
  };
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', args, { cwd: path, env, stdio: ['ignore', 'ignore', 'pipe'] });
  git('init', '--quiet', '--initial-branch=main');
  git('init', '--quiet', '--bare', '--initial-branch=main', origin);
  git('remote', 'add', 'origin', origin);
  writeFiles(path, { '.gitignore': 'node_modules\n', ...files });
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  git('push', '--quiet', '--set-upstream', 'origin', 'main');
  execFileSync(join(bin, 'npm'), ['ci'], { cwd: path, env });
  return { path, env, trap: room.trap() };
}

type Variables = Readonly<Record<string, string>>;

/** The action as its runner starts it, with inputs by name, and a pull-request event for a commit. */
function actionOf({ room }: Trial, { path, env }: Project, url: string, head: string) {
  const event = (sha: string): string => {
    const file = join(room.directory(), 'event.json');
    writeFileSync(file, JSON.stringify({ pull_request: { number: 7, base: { sha } } }));
    return file;
  };
  const act = (inputs: Variables, more: Variables = {}) => {
    const variables = Object.fromEntries(
      Object.entries(inputs).map(([name, value]) => [`DRAGOMAN_ACTION_${name}`, value]),
    );
    return room.run([], {
      cwd: path,
      program: [process.execPath, join(ROOT, 'action/main.mjs')],
      timeoutMs: 60_000,
      env: {
        ...env,
        DRAGOMAN_ACTION_MODE: 'check',
        DRAGOMAN_ACTION_TOKEN: TOKEN,
        GITHUB_ACTIONS: 'true',
        GITHUB_REPOSITORY: 'anna/project',
        GITHUB_API_URL: url,
        GITHUB_GRAPHQL_URL: `${url}/graphql`,
        GITHUB_EVENT_NAME: 'pull_request',
        GITHUB_REF_NAME: 'main',
        GITHUB_EVENT_PATH: event(head),
        ...variables,
        ...more,
      },
    });
  };
  return { act, event };
}

/** Names and texts that a shell, a Markdown renderer or a runner could misinterpret. */
function hostileFiles(trap: string): Files {
  const evil = [
    `$(${trap})`,
    `\`${trap}\``,
    `"; ${trap}; "`,
    '::error::x',
    '##[error]x',
    '</code><script>alert(1)</script>',
    '![x](http://evil.example/x.png)',
    '@everyone #1 | cell',
    '<!-- dragoman: translations -->',
  ];
  const name = `$(${trap.replaceAll('/', '∕')}) ::error::x`;
  return {
    'dragoman.config.yaml': 'source: en\ntargets: [de, fr]\n',
    'locales/en.json': JSON.stringify(Object.fromEntries(evil.map((text) => [text, text]))),
    'locales/de.json': JSON.stringify(Object.fromEntries(evil.map((text) => [text, `${text} x`]))),
    [`${name}/en.json`]: JSON.stringify({ a: evil.join('\n') }),
    '--upload-pack=x/en.json': '{"a": "One"}',
  };
}

export const pipelineRows: readonly AttackRow[] = [
  {
    attack:
      'the GitHub action with hostile inputs, branches, paths, versions, events, and texts in its comment',
    expected: 'no program is run, only the API gets the token, and texts have no effect in the comment',
    async run(trial) {
      const { room } = trial;
      const probe = room.trap().command;
      const { path, env, trap } = project(trial, hostileFiles(probe));
      const github = await listener(trial);
      const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: path, encoding: 'utf8' }).trim();
      const { act, event } = actionOf(trial, { path, env, trap }, github.url, head);
      const checked = await act({});
      trial.equals('the exit code of a check', checked.code, 8);
      const comment = github.heard();
      trial.matches('the comment', comment, /dragoman: translations/);
      trial.lacks('the comment', comment, /<script>|!\[x\]|@everyone/);
      trial.lacks('the output', checked.stdout + checked.stderr, TOKEN);
      const evil = [
        `--upload-pack=${trap.command}`,
        `$(${trap.command})`,
        `x; ${trap.command}`,
        `--exec=${trap.command}`,
        `main:refs/heads/x`,
        '../..',
        '-x',
        `@{-1}`,
        'a b',
        'HEAD~1^{/x}',
      ];
      for (const text of evil) {
        const runs = [
          await act({ MODE: 'sync', BRANCH: text }),
          await act({ MODE: 'sync', BRANCH: 'x', BASE: text }),
          await act({ VERSION: `1.0; ${text}` }),
          await act({ MODE: text }),
          await act({}, { GITHUB_EVENT_PATH: event(text) }),
        ];
        for (const [i, { code, stdout, stderr }] of runs.entries()) {
          trial.holds(`attempt ${i} with ${text} is refused`, code === 2, { code, stderr });
          trial.lacks('the output', stdout + stderr, TOKEN);
          trial.equals(
            'the commands to the runner',
            stdout
              .split('\n')
              .filter((line) => line.startsWith('::') && !/^::(?:error|warning)[ :]/.test(line)),
            [],
          );
        }
      }
      const paths = await act({
        PATHS: `--config=/etc/passwd\n--engine-command=${trap.command}\n$(${trap.command})\nlocales`,
      });
      trial.holds('paths are treated as paths', paths.code !== 0 && paths.code !== null, paths);
      trial.holds('no program was run', !trap.sprung());
      return `${evil.length * 5 + 2} runs`;
    },
  },
  {
    attack: 'the GitHub action in a checkout whose .git/config, attributes and hooks name programs',
    expected: 'git runs none of these programs, and the action succeeds',
    async run(trial) {
      const files = {
        'dragoman.config.yaml': 'source: en\ntargets: [de]\n',
        '.gitattributes': '* filter=x diff=x merge=x\n',
        'locales/en.json': '{"a": "One"}\n',
      };
      const made = project(trial, files);
      const { path, env, trap } = made;
      const github = await listener(trial);
      const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: path, encoding: 'utf8' }).trim();
      const settings = [
        ['core.sshCommand', trap.command],
        ['core.hooksPath', '.githooks'],
        ['core.pager', trap.command],
        ['credential.helper', trap.command],
        ['diff.external', trap.command],
        ['gpg.program', trap.command],
        ['commit.gpgSign', 'true'],
        ['remote.origin.uploadpack', trap.command],
        ['remote.origin.receivepack', trap.command],
        ['url.ext::sh.insteadOf', 'https://github.com/'],
        ['include.path', join(path, 'included')],
      ].map(([key = '', value = '']) => settingText(key, value));
      writeFileSync(join(path, 'included'), FILTERS(trap.command));
      const text = FILTERS(trap.command) + settings.join('');
      writeFileSync(join(path, '.git/config'), text, { flag: 'a' });
      for (const directory of ['.git/hooks', '.githooks']) {
        mkdirSync(join(path, directory), { recursive: true });
        for (const hook of [
          'post-checkout',
          'post-commit',
          'pre-commit',
          'pre-push',
          'reference-transaction',
        ])
          copyFileSync(trap.command, join(path, directory, hook));
      }
      const { act } = actionOf(trial, made, github.url, head);
      const inputs = { BRANCH: 'dragoman/translations', TITLE: 'Translations', COMMENT: 'true' };
      const onPush = { GITHUB_EVENT_NAME: 'push' };
      const runs = [
        await act(inputs),
        await act({ ...inputs, CHANGED_ONLY: 'true' }),
        await act({ ...inputs, MODE: 'sync' }, onPush),
      ];
      trial.holds('no program was run', !trap.sprung());
      trial.equals(
        'the exit codes for all files and for changed files',
        [runs[0]?.code, runs[1]?.code],
        [8, 0],
      );
      for (const { stdout, stderr } of runs) trial.lacks('the output', stdout + stderr, TOKEN);
      const origin = join(path, '../origin.git');
      const pushed = spawnSync('git', ['show', 'dragoman/translations:locales/de.json'], {
        cwd: origin,
        env,
        encoding: 'utf8',
      });
      trial.holds('the translations are pushed', pushed.status === 0 && pushed.stdout.includes('"a"'), {
        pushed,
        sync: runs[2],
      });
      spawnSync('git', ['status'], { cwd: path, env });
      trial.holds('git itself runs the programs', trap.sprung());
      return `${settings.length} settings, 2 directories of hooks, 3 runs`;
    },
  },
  {
    attack: 'the GitLab component with hostile branches, users, titles, file names and texts',
    expected: 'the scripts treat them only as data',
    async run(trial) {
      const { room } = trial;
      const [head, body] = parseAllDocuments(readFileSync(join(ROOT, 'templates/translations.yml'), 'utf8'));
      const { spec } = (head?.toJS() ?? {}) as { spec: { inputs: Record<string, { default: unknown }> } };
      const text = JSON.stringify(body?.toJS()).replaceAll(/\$\[\[ inputs\.(.*?) \]\]/g, (_, name: string) =>
        String(spec.inputs[name]?.default),
      );
      const jobs = JSON.parse(text) as Record<
        string,
        { script: readonly string[]; variables?: Record<string, string> }
      >;
      const trap = room.trap();
      const evil = [
        `$(${trap.command})`,
        `\`${trap.command}\``,
        `x"; ${trap.command}; "`,
        `x'; ${trap.command}; '`,
        `| ${trap.command}`,
      ];
      for (const [job, { script, variables = {} }] of Object.entries(jobs)) {
        trial.lacks(`the script of ${job}`, script.join('\n'), /\beval\b|\$\(|`/);
        for (const word of evil) {
          const { path, env } = project(trial, hostileFiles(trap.command));
          const ci = {
            ...variables,
            CHANGED_ONLY: 'true',
            MAX_CREDITS: '10',
            CI_COMMIT_BRANCH: word,
            CI_MERGE_REQUEST_DIFF_BASE_SHA: 'main',
            CI_MERGE_REQUEST_TITLE: word,
            GITLAB_USER_NAME: word,
            GITLAB_USER_EMAIL: word,
            CI_COMMIT_MESSAGE: word,
          };
          const run = spawnSync('bash', ['-eo', 'pipefail', '-c', script.join('\n')], {
            cwd: path,
            env: { ...env, ...ci },
            encoding: 'utf8',
            timeout: 60_000,
          });
          trial.holds(`${job} with ${word} ends`, run.status !== null, run);
        }
      }
      trial.holds('no program was run', !trap.sprung());
      return `${Object.keys(jobs).length} jobs, ${evil.length} words`;
    },
  },
];
