import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { serve } from '../../src/cli/commands/serve.ts';
import { variableOf } from '../../src/cli/options/environment.ts';
import { startMetrics } from '../../src/server/log/metrics-registry.ts';

const ROOT = join(import.meta.dirname, '../..');
const SERVICE = join(ROOT, 'examples/server/dragoman.service');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The variables that set an option of `serve`. */
function serveVariables(): ReadonlySet<string> {
  const command = new Command('serve');
  serve.configure?.(command);
  return new Set(command.options.flatMap((option) => variableOf(option, 'DRAGOMAN_SERVE_') ?? []));
}

it.each(['Dockerfile', 'examples/server/dragoman.service', 'examples/server/compose.yaml'])(
  '%s names variables that exist',
  (path) => {
    const named = read(path).match(/\bDRAGOMAN_SERVE_[A-Z_]+/g) ?? [];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !serveVariables().has(name))).toEqual([]);
  },
);

it('every stage that runs has an unprivileged user', () => {
  const [, ...stages] = read('Dockerfile').split(/^FROM /m);
  for (const stage of stages.slice(1)) {
    const users = [...stage.matchAll(/^USER (.*)$/gm)].map(([, user]) => user);
    if (!stage.startsWith('base AS dragoman')) expect(users.at(-1)).toBe('10001:10001');
  }
  expect(stages.at(-1)).toMatch(/^base AS dragoman\n$/);
});

it('the dashboard and the chapter show metrics that the server has', async () => {
  const board = JSON.parse(read('examples/server/grafana-dashboard.json')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const metrics = startMetrics({ jobs: () => Promise.resolve({ waiting: 1, running: 1 }) });
  metrics.observe('GET /health', 200, 0.01);
  const { body } = await metrics.render();
  const known = new Set(body.match(/^[a-z_0-9]+(?=[ {])/gm));
  const names = board.panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) =>
      [...expr.matchAll(/\b((?:dragoman|process|nodejs)_\w+)\{/g)].map(([, name]) => name),
    ),
  );
  expect(names.length).toBeGreaterThan(8);
  const chapter = read('docs/operation.md').match(/\bdragoman_\w+/g) ?? [];
  expect(chapter.length).toBeGreaterThan(2);
  names.push(...chapter);
  expect(names.filter((name = '') => !known.has(name) && !body.includes(`# TYPE ${name} `))).toEqual([]);
});

const analyze = '/usr/bin/systemd-analyze';
it.skipIf(!existsSync(analyze))('systemd accepts the unit and reports little exposure', () => {
  expect(execFileSync(analyze, ['verify', SERVICE], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
  const report = execFileSync(analyze, ['security', '--offline=true', SERVICE], { encoding: 'utf8' });
  const [, level] = /Overall exposure level for dragoman\.service: ([\d.]+)/.exec(report) ?? [];
  expect(Number(level)).toBeLessThan(2);
});
