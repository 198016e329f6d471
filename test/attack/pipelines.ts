import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { listener } from './keys.ts';
import { BIN, writeFiles, type Files, type Room } from './room.ts';
import type { AttackRow, Trial } from './row.ts';

/** The action for GitHub and the component for GitLab, in a project and with variables of an attacker's. */

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

/** Names and texts that a shell, a Markdown renderer or a runner could take for something else. */
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
    expected: 'no program is run, the token goes to the API alone, texts are inert in the comment',
    async run(trial) {
      const { room } = trial;
      const probe = room.trap().command;
      const { path, env, trap } = project(trial, hostileFiles(probe));
      const github = await listener(trial);
      const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: path, encoding: 'utf8' }).trim();
      const event = (sha: string): string => {
        const file = join(room.directory(), 'event.json');
        writeFileSync(file, JSON.stringify({ pull_request: { number: 7, base: { sha } } }));
        return file;
      };
      const act = (inputs: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) => {
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
            GITHUB_API_URL: github.url,
            GITHUB_GRAPHQL_URL: `${github.url}/graphql`,
            GITHUB_EVENT_NAME: 'pull_request',
            GITHUB_REF_NAME: 'main',
            GITHUB_EVENT_PATH: event(head),
            ...variables,
            ...more,
          },
        });
      };
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
      trial.holds('paths are paths', paths.code !== 0 && paths.code !== null, paths);
      trial.holds('no program was run', !trap.sprung());
      return `${evil.length * 5 + 2} runs`;
    },
  },
  {
    attack: 'the GitLab component with hostile branches, users, titles, file names and texts',
    expected: 'they stay data of the scripts',
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
