import { describe, expect, it } from 'vitest';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const SOURCE = 'i18n/en/app.ftl';
const TARGET = 'i18n/de/app.ftl';
const options = { source: 'en', targets: ['de'] } as const;

/** A message that selects by a platform. */
const selection = (id: string, ...variants: readonly string[]): string =>
  `${id} = { $platform ->\n${variants.map((variant) => `    ${variant}\n`).join('')}}\n`;

const CHANGES: readonly (readonly [change: string, before: string, translated: string, after: string])[] = [
  [
    'gains a selection',
    'm = Hello my friend\n',
    'm = Hallo\n',
    selection('m', '[mac] Hello Mac friend', '*[other] Hello other friend'),
  ],
  [
    'loses its selection',
    selection('m', '[mac] Open the Finder', '*[other] Open the Explorer'),
    selection('m', '[mac] Finder', '*[other] Explorer'),
    'm = Open the files\n',
  ],
  [
    'selects in an attribute',
    'm = Delete it\n    .title = Delete the title\n',
    'm = Löschen\n    .title = Titel\n',
    `m = Delete it\n    .title = ${selection('', '[mac] Delete on Mac', '*[other] Delete elsewhere').slice(3)}`,
  ],
  [
    'has text around its new selection',
    'm = { $who } shared a photo\n',
    'm = { $who } teilte\n',
    `m = { $who } shared ${selection('', '[mac] a photo', '*[other] many photos').slice(3)}`,
  ],
];

describe.each(CHANGES)('a Fluent message that %s', (_, before, translated, after) => {
  it.each([
    ['our', undefined],
    ['a person’s', translated],
  ])('is not up to date with %s translation of its earlier text', async (_, target) => {
    const project = new ProjectDirectory({
      [SOURCE]: `${before}z = Good bye\n`,
      ...(target !== undefined && { [TARGET]: `${target}z = Tschüss\n` }),
    });
    await project.sync(new RecordingEngine(), options);
    project.write(SOURCE, `${after}z = Good bye\n`);
    const { languages } = await project.check(options);
    expect(languages[0]?.coverage?.missing).toBeGreaterThan(0);
    if (target !== undefined) return;
    const run = await project.sync(new RecordingEngine(), options);
    expect(run.languages[0]?.changes).toMatchObject({ failed: 0 });
    expect((await project.check(options)).languages[0]?.coverage).toMatchObject({ missing: 0, extra: 0 });
  });
});

it('a Fluent message that dragoman translated counts as incomplete if its source gets a new variant', async () => {
  const project = new ProjectDirectory({ [SOURCE]: selection('m', '[mac] A Mac', '*[other] A box') });
  await project.sync(new RecordingEngine(), options);
  project.write(SOURCE, selection('m', '[linux] A penguin', '[mac] A Mac', '*[other] A box'));
  const { languages } = await project.check(options);
  expect(languages[0]?.coverage).toMatchObject({ missing: 1, extra: 0 });
});

it('a translator’s own selection stays complete after a sync', async () => {
  const target = `${selection('m', '[win] Fenster', '*[other] Kiste')}n = Auf { $platform }\nz = Tschüss\n`;
  const project = new ProjectDirectory({
    [SOURCE]: `${selection('m', '[mac] A Mac', '*[other] A box')}${selection('n', '[mac] On a Mac', '*[other] On { $platform }')}z = Good bye\n`,
    [TARGET]: target,
  });
  const engine = new RecordingEngine();
  await project.sync(engine, options);
  const { languages } = await project.sync(engine, options);
  expect(languages[0]?.coverage).toMatchObject({ missing: 0, extra: 0 });
  expect(project.read(TARGET)).toBe(target);
});

describe('a Fluent message whose selector is renamed', () => {
  const plural = (name: string, one: string, other: string, more = ''): string =>
    `m = { ${name} ->\n    [one] ${one}\n   *[other] { ${name} } ${other}\n}\n${more}`;
  const title = '    .title = Show all files\n';
  const source = (name: string): string =>
    `${plural(name, 'One file here', 'files here', title)}z = Good bye\n`;

  it('is translated anew if dragoman translated it', async () => {
    const project = new ProjectDirectory({ [SOURCE]: source('$n') });
    const engine = new RecordingEngine();
    await project.sync(engine, options);
    const person = project.read(TARGET).replace('de:Show all files', 'Alle Dateien zeigen');
    project.write(TARGET, person);
    project.write(SOURCE, source('$m'));
    const { languages } = await project.sync(engine, options);
    expect(languages[0]?.changes).toMatchObject({ translated: 1, failed: 0 });
    expect(project.read(TARGET)).toBe(person.replaceAll('$n', '$m'));
    expect((await project.check(options)).languages[0]?.coverage).toMatchObject({ missing: 0, extra: 0 });
  });

  it('is kept and reported if a person translated a part of it', async () => {
    const project = new ProjectDirectory({ [SOURCE]: source('$n') });
    const engine = new RecordingEngine();
    await project.sync(engine, options);
    const person = project.read(TARGET).replace('de:One file here', 'Eine Datei');
    project.write(TARGET, person);
    project.write(SOURCE, source('$m'));
    const { languages } = await project.sync(engine, options);
    expect(project.read(TARGET)).toBe(person);
    expect(languages[0]?.files[0]?.failures.map(({ key }) => key[0])).toContain('m');
  });
});
