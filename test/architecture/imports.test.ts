import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The layers of src/, each with those it may import from. Data flows one way: see ARCHITECTURE.md. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  git: ['base'],
  text: ['base'],
  languages: ['base'],
  formats: ['base', 'text', 'languages'],
  frameworks: ['base', 'text', 'languages', 'formats'],
  workers: ['base'],
  // Formats that the user's programs read.
  plugins: ['base', 'text', 'formats', 'workers'],
  engines: ['base', 'text', 'languages', 'workers'],
  pipeline: ['base', 'text', 'languages', 'formats', 'engines'],
  documents: ['base', 'text', 'languages', 'formats', 'frameworks', 'engines', 'pipeline'],
  sqlite: ['base'],
  contract: ['base', 'formats'],
  service: ['base', 'text', 'languages', 'formats', 'engines', 'pipeline', 'documents', 'contract'],
  // Export and import of files for translators: between the rows of a project and the code that saves answers to them.
  exchange: ['base', 'text', 'languages', 'formats', 'project', 'review'],
  memory: ['base', 'text', 'languages', 'formats', 'engines', 'pipeline', 'documents', 'sqlite'],
  project: ['base', 'git', 'text', 'languages', 'formats', 'frameworks', 'engines', 'pipeline', 'documents'],
  store: ['base', 'formats', 'sqlite', 'workers'],
  webhooks: ['base', 'contract', 'store'],
  // The translation resources of an account, for workers.
  resources: ['base', 'engines', 'pipeline', 'store'],
  jobs: [
    'base',
    'text',
    'languages',
    'formats',
    'engines',
    'pipeline',
    'documents',
    'contract',
    'service',
    'store',
    'resources',
    'webhooks',
    'workers',
  ],
  server: [
    'base',
    'languages',
    'formats',
    'engines',
    'contract',
    'service',
    'store',
    'resources',
    'webhooks',
    'jobs',
    'workers',
  ],
  client: ['base', 'text', 'languages', 'engines', 'contract', 'service'],
  // The page of a review, and its server on this computer.
  review: ['base', 'text', 'pipeline', 'project'],
  // The library: the functions behind the commands.
  'index.ts': ['base', 'text', 'formats', 'engines', 'pipeline', 'documents', 'project'],
  cli: [
    'base',
    'text',
    'languages',
    'formats',
    'frameworks',
    'engines',
    'pipeline',
    'documents',
    'memory',
    'project',
    'contract',
    'service',
    'store',
    'webhooks',
    'jobs',
    'server',
    'client',
    'review',
    'exchange',
    'workers',
    'plugins',
  ],
};

/** The rooms of src/project: configuration ← files ← their state ← the plan ← its execution. */
const MAY_IMPORT_IN_PROJECT: Readonly<Record<string, readonly string[]>> = {
  config: [],
  discover: ['config'],
  glossary: ['config'],
  state: ['config', 'discover'],
  plan: ['config', 'discover', 'state'],
  sync: ['config', 'discover', 'state', 'plan'],
  // Decisions and texts by people.
  review: ['config', 'discover', 'glossary', 'state', 'plan', 'sync'],
  lint: ['config', 'discover', 'state', 'plan'],
};

/** The rooms of src/server. Files next to the rooms combine them, and no room imports such a file. */
const MAY_IMPORT_IN_SERVER: Readonly<Record<string, readonly string[]>> = {
  guards: [],
  log: [],
  threads: [],
  docs: [],
  http: ['guards', 'log', 'threads'],
  operations: ['guards', 'log', 'threads', 'docs', 'http'],
  processes: ['guards', 'log', 'http'],
};

/**
 * The rooms of src/cli. The registry and the program next to the rooms combine them, and no room imports
 * them.
 */
const MAY_IMPORT_IN_CLI: Readonly<Record<string, readonly string[]>> = {
  terminal: [],
  output: ['terminal'],
  options: ['terminal', 'output'],
  // Local or remote execution: the engine, the memory, the connection, the store of a server.
  execution: ['terminal', 'output', 'options'],
  documents: ['terminal', 'output', 'options', 'execution'],
  // Reports that commands about a whole project share.
  project: ['terminal', 'output', 'options', 'execution', 'documents'],
  commands: ['terminal', 'output', 'options', 'execution', 'documents', 'project'],
};

const src = resolve(import.meta.dirname, '../../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function importsOf(file: string, but?: RegExp): readonly string[] {
  const whole = readFileSync(join(src, file), 'utf8');
  const text = but ? whole.replaceAll(but, '') : whole;
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
    relative(src, resolve(src, dirname(file), match[1] ?? '')),
  );
}

const layerOf = (file: string): string => file.split('/')[0] ?? '';
const roomOf = (file: string): string => file.split('/')[1] ?? '';

describe('imports', () => {
  it('cover every layer', () => {
    expect([...new Set(files.map(layerOf))].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it('go only one way', () => {
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => !target.startsWith('..') && layerOf(target) !== layerOf(file))
        .filter((target) => !MAY_IMPORT[layerOf(file)]?.includes(layerOf(target)))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['project', MAY_IMPORT_IN_PROJECT],
    ['server', MAY_IMPORT_IN_SERVER],
    ['cli', MAY_IMPORT_IN_CLI],
  ])('go one way between the rooms of %s', (layer, mayImport) => {
    const inRooms = files.filter((file) => layerOf(file) === layer && file.split('/').length > 2);
    expect([...new Set(inRooms.map(roomOf))].sort()).toEqual(Object.keys(mayImport).sort());
    const wrong = inRooms.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((target) => layerOf(target) === layer && roomOf(target) !== roomOf(file))
        .filter((target) => !mayImport[roomOf(file)]?.includes(roomOf(target)))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['project', []],
    ['cli', ['main.ts', 'program.ts', 'registry.ts']],
  ])('come only from files in the folders of %s', (layer, allowed) => {
    const beside = files.filter((file) => layerOf(file) === layer && file.split('/').length < 3).map(roomOf);
    expect(beside.sort()).toEqual(allowed);
  });

  it('into a command’s folder come only from that command', () => {
    const commandOf = (file: string): string => file.split('/')[2]?.replace(/\.ts$/, '') ?? '';
    const isOfCommand = (file: string): boolean => file.startsWith('cli/commands/');
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => isOfCommand(target) && target.split('/').length > 3)
        .filter((target) => !isOfCommand(file) || commandOf(file) !== commandOf(target))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('of the review page include nothing that a browser lacks', () => {
    const isOfPage = (file: string): boolean => file.startsWith('review/page/');
    const reached = new Set([...imports.keys()].filter(isOfPage));
    const shared = new Set([
      'review/document.ts',
      'review/protocol.ts',
      'project/state/decision.ts',
      'project/state/text-counts.ts',
      // The page searches for terms while the user types.
      'engines/chain-rules.ts',
      'languages/locale.ts',
      'languages/rare.ts',
      'languages/table.ts',
    ]);
    const wrong: string[] = [];
    for (const file of reached) {
      // The bundle has no types.
      const targets = isOfPage(file) ? imports.get(file) : importsOf(file, /^(?:im|ex)port type [^;]*;$/gm);
      for (const target of targets ?? []) {
        const isShared = shared.has(target);
        const isBelow =
          layerOf(target) === 'text' || layerOf(target) === 'base' || target.startsWith('pipeline/terms/');
        if (!isOfPage(target) && !isShared && !isBelow) wrong.push(`${file} → ${target}`);
        reached.add(target);
      }
      if (/from 'node:/.test(readFileSync(join(src, file), 'utf8'))) wrong.push(`${file} → node`);
    }
    expect(wrong).toEqual([]);
    const importers = [...imports].filter(([file]) => !isOfPage(file));
    expect(importers.filter(([, targets]) => targets.some(isOfPage)).map(([file]) => file)).toEqual([]);
  });

  it('have no cycles', () => {
    const done = new Set<string>();
    const path: string[] = [];
    const visit = (file: string): void => {
      if (path.includes(file)) throw new Error([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || !imports.has(file)) return;
      path.push(file);
      // An import() in a registry loads lazily, but a cycle through it would still be a cycle.
      for (const target of imports.get(file) ?? []) visit(target);
      path.pop();
      done.add(file);
    };
    for (const file of files) visit(file);
    expect(done.size).toBe(files.length);
  });
});

it('no source file exceeds the size limit', () => {
  const lengths = files.map((file) => readFileSync(join(src, file), 'utf8').split('\n').length - 1);
  // No limit for the median: it would split ideas that belong together.
  expect(Math.max(...lengths)).toBeLessThanOrEqual(400);
});
