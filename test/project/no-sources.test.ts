import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from '../cli/harness.ts';
import { ProjectDirectory } from './project-directory.ts';

async function sourcesOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { resources: found } = await new ProjectDirectory({ 'locales/en.json': '{}', ...files }).open();
  return found.map(({ source }) => source).filter((source) => source !== 'locales/en.json');
}

describe('templates of code generators', () => {
  it.each([
    'lib/generators/page/templates/config/locales',
    'generators/app/templates/locales',
    '{{cookiecutter.slug}}/locales',
    '__brick__/locales',
  ])('%s is skipped, unless the configuration names it', async (directory) => {
    const files = { [`${directory}/en.yml`]: 'en:\n  a: <%= name %>\n', 'locales/fr.json': '{}' };
    expect(await sourcesOf(files)).toEqual([]);
    const { stderr } = await dragoman(['status'], {
      cwd: projectWith({ ...files, 'locales/en.json': '{}' }),
    });
    expect(stderr).toContain('1 .yml file in code generator templates, skipped');
    const rule = `files: [{ source: "${directory}/{locale}.yml" }]\n`;
    expect(await sourcesOf({ ...files, 'dragoman.config.yaml': rule })).toEqual([`${directory}/en.yml`]);
  });

  it.each(['templates/locales', 'locales/en/templates', 'app/generators/locales'])(
    '%s is not skipped',
    async (path) => {
      expect(await sourcesOf({ [`${path}/en.json`]: '{}' })).toEqual([`${path}/en.json`]);
    },
  );
});

describe('an invalid language', () => {
  it('does not turn a .resx file into a source', async () => {
    const text = '<?xml version="1.0"?>\n<root><data name="a"><value>Save</value></data></root>\n';
    const files = { 'A/Text.resx': text, 'A/Text.de-DE.resx': text, 'A/Text.sr-SP.resx': text };
    expect(await sourcesOf(files)).toEqual(['A/Text.resx']);
  });
});

describe('formats of vue-i18n', () => {
  it('are not texts', async () => {
    const files = { 'lang/dateTimeFormats/en.json': '{"month": "long"}', 'lang/messages/en.json': '{}' };
    expect(await sourcesOf(files)).toEqual(['lang/messages/en.json']);
  });
});

describe('country data', () => {
  const names = (...codes: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(codes.map((code) => [`res/raw/zones_${code}.json`, '{"a": "Zone"}']));

  it('is not a translation', async () => {
    const files = names('ar', 'au', 'cl', 'es', 'nz', 'pt', 'us');
    const project = new ProjectDirectory({ 'locales/en.json': '{"a": "One"}', ...files });
    const { source, targets, resources: found } = await project.open();
    expect([source, targets, found.length]).toEqual(['en', [], 1]);
    const { stderr } = await dragoman(['status'], { cwd: project.path });
    expect(stderr).toContain('7 .json files with an unclear language code in the name');
  });

  const named = (directory: string, codes: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(codes.map((code) => [`${directory}/${code}.yml`, 'intro: These are the terms.\n']));

  it('may be named in capitals', async () => {
    const files = named('config/terms', ['FR', 'GB', 'IT']);
    const project = new ProjectDirectory({ 'locales/en.json': '{"a": "One"}', ...files });
    const { source, targets, resources: found } = await project.open();
    expect([source, targets, found.length]).toEqual(['en', [], 1]);
    const { stderr } = await dragoman(['status'], { cwd: project.path });
    expect(stderr).toContain('3 .yml files with an unclear language code in the name');
  });

  it.each<[directory: string, codes: readonly string[], source: string]>([
    ['config/terms', ['EN', 'FR', 'IT'], 'EN'],
    ['config/locales', ['FR', 'GB', 'IT'], 'GB'],
    ['config/terms', ['fr', 'en', 'gb'], 'en'],
  ])('does not include languages: %s %j', async (directory, codes, source) => {
    const project = new ProjectDirectory(named(directory, codes));
    const { resources: found } = await project.open();
    expect(found.map((one) => one.source)).toEqual([`${directory}/${source}.yml`]);
  });

  it('does not include a few names among many languages', async () => {
    const files = names('au', 'nz', 'us', 'en', 'de', 'fr', 'es', 'it', 'ja', 'ko', 'pl', 'ru', 'sv');
    expect(await sourcesOf(files)).toEqual(['res/raw/zones_en.json']);
  });
});

describe('a .resx file without translations', () => {
  const resx = (...values: readonly string[]): string =>
    `<?xml version="1.0"?>\n<root>\n${values
      .map(
        (value, i) => `  <data name="k${i}" xml:space="preserve">\n    <value>${value}</value>\n  </data>\n`,
      )
      .join('')}</root>\n`;
  const image = '<data name="icon" type="System.Drawing.Icon"><value>AAABAAEA</value></data>';

  it.each([
    ['no entries', resx(), []],
    ['an example', resx().replace('<root>', `<root><!--${resx('An example')}-->`), []],
    ['images', resx().replace('</root>', `${image}</root>`), []],
    ['paths', resx("/Themes/Color[@Name='Menu']/@Source", 'themes\\dark.xml', 'Menu'), []],
    ['words', resx('Save', 'OK'), ['App/Form.resx']],
    ['a sentence', resx('The file was not found.', 'a_b'), ['App/Form.resx']],
    ['no XML', '', ['App/Form.resx']],
  ])('is a source only if it has texts: %s', async (_what, text, sources) => {
    expect(await sourcesOf({ 'App/Form.resx': text })).toEqual(sources);
    expect(await sourcesOf({ 'App/Form.resx': text, 'App/Form.de.resx': text })).toEqual(['App/Form.resx']);
  });
});

it.each(['locales/deAT.json', 'locales/deAT/a.json'])(
  'a language code without a separator is reported: %s',
  async (path) => {
    const source = path.replace('deAT', 'en');
    const root = projectWith({ [source]: '{"a": "Hello"}', [path]: '{"a": "Servus"}' });
    const { stderr } = await dragoman(['status', '-t', 'de'], { cwd: root });
    expect(stderr).toContain(
      `1 .json file with an unclear language code in the name, skipped (for example ${path})`,
    );
  },
);
