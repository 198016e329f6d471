import { describe, expect, it } from 'vitest';
import { describeNote } from '../../src/project/plan/report.ts';
import { GUIDE, JARDIN, project, sync } from './garden-pages.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

describe('a translation whose blocks differ from its source', () => {
  it('finds repeated texts in the first run, between paragraphs that were joined', async () => {
    const section = (name: string, texts: readonly string[], code: string): string =>
      `### ${texts[0]}\n\n${texts[1]?.replaceAll('NAME', name)}\n\n${texts[2]}${texts[3]}\n\n**${texts[4]}**\n\n\`\`\`\n${code}\n\`\`\`\n\n`;
    const long = (name: string): string =>
      ['Usage: critical', 'Usage: client', 'Basic: critical', '  CA:FALSE', `DNS:${name}.local`].join('\n');
    const words = [
      'The certificate of `NAME` encrypts and authenticates the communication between `NAME` and its clients.',
      'El certificado de `NAME` cifra y autentica la comunicación entre `NAME` y sus clientes.',
    ] as const;
    const parts = (joint: string, flag: string) =>
      [
        ['Server certificate', words[0], `**Flags**${joint}`, `Passed by \`${flag}\``, 'Values'],
        ['Certificado de servidor', words[1], `**Opciones**${joint}`, `Se indica con \`${flag}\``, 'Valores'],
      ] as const;
    const [a, b, c] = [parts('\n\n', '--tls'), parts('\n\n', '--etcd'), parts('\n\n', '--tls')];
    const [joinedB, joinedC] = [parts('\n', '--etcd'), parts('\n', '--tls')];
    const source =
      section('api', a[0], long('api')) +
      section('etcd', joinedB[0], 'Name: etcd') +
      section('search', c[0], long('search'));
    const target =
      section('api', a[1], 'DNS:api.local') +
      section('etcd', b[1], 'Name: etcd') +
      section('search', joinedC[1], 'DNS:search.local');
    const { written } = await sync(project(source, target));
    expect(written).toBe(target);
  });

  it('keeps a container title that a translator added, and is still compared', async () => {
    const jardin = JARDIN.replace('::: tip', '::: tip CONSEJO');
    const { asked, written, notes, coverage } = await sync(project(GUIDE, jardin));
    expect(asked).toEqual([]);
    expect(written).toBe(jardin);
    expect(notes).toEqual(['line 20: no clear counterpart in the source, left unchanged']);
    expect(coverage).toEqual({ keys: 10, translated: 10, missing: 0, unmatched: 0 });
  });

  it.each([
    ['a container', '::: tip Advice\nClean', '\n:::\n'],
    ['a block', '/// tip | Advice\nClean', '\n///\n'],
    ['an element', '<details>\n<summary>Advice</summary>\n\nClean', '\n\n</details>\n'],
    ['a shortcode', '{{% note title="Advice" %}}\nClean', '\n{{% /note %}}\n'],
  ])('does not get a missing title of %s', async (_, before, after) => {
    const guide = GUIDE.replace('::: tip\nClean', before).replace('\n:::\n', after);
    const jardin = JARDIN.replace('::: tip\n', '').replace('\n:::\n', '\n');
    const { asked, written, notes } = await sync(project(guide, jardin));
    expect(asked).toEqual([]);
    expect(written).toBe(jardin);
    expect(notes).toEqual([expect.stringMatching(/of the source: no clear counterpart, not compared$/)]);
  });

  it.each([
    ['an element that is complete', '<Badge data-note="a > b"/>', '<Badge>\n\n2026\n\n</Badge>'],
    ['a paragraph without its end', '<p>', '<div><p>2026</p></div>'],
    ['an end tag without a start tag', '</Badge>', '2026'],
  ])('gets missing text before %s', async (_, element, end) => {
    const jardin = `${JARDIN}\n${end}\n`;
    const directory = project(`${GUIDE}\n${end}\n`, jardin);
    await sync(directory);
    const text = `Oil the handles too.\n\n${element}\n\n`;
    directory.write('guide.md', `${GUIDE.replace('## Watering', `${text}## Watering`)}\n${end}\n`);
    directory.write('es/guide.md', jardin.replace('::: tip', '::: tip CONSEJO'));
    const { asked, written } = await sync(directory);
    expect(asked).toEqual(['es Oil the handles too.']);
    expect(written).toContain(`es:${text}## Riego`);
  });

  it('is reported again if nothing has changed since', async () => {
    const directory = project(GUIDE, JARDIN.replace('::: tip', '::: tip CONSEJO'));
    for (const run of ['sync', 'sync', 'check', 'check'] as const) {
      const report = await (run === 'sync' ? directory.sync(new RecordingEngine()) : directory.check());
      const files = report.languages.flatMap((language) => language.allFiles());
      expect(files.flatMap(({ notes = [] }) => notes.map(describeNote))).toEqual([
        'line 20: no clear counterpart in the source, left unchanged',
      ]);
    }
  });

  it.each([
    [
      'a paragraph',
      '\n\n## Tools',
      '\n\n## Herramientas',
      '\n\n#Nobody waters [a cactus](./cactus.md) in `winter`, whatever the weather is like.',
    ],
    ['an item of a list', '\n- A rake', '\n- Un rastrillo', '\n- #Gloves of `leather`, size 42.'],
    [
      'a section with code',
      '\n\n## Watering',
      '\n\n## Riego',
      '\n\n## #Compost\n\n#Turn it after 90 days.\n\n```sh\ngarden turn\n```',
    ],
    [
      'a container',
      '\n\n## Watering',
      '\n\n## Riego',
      '\n\n::: danger #Poison\n#Keep `lime` away from children, at least 3 metres.\n:::',
    ],
    ['a setting', '\n---\n\n#', '\n---\n\n#', '\ndescription: #How to plan 7 beds.'],
    [
      'a table',
      '\n\n## Watering',
      '\n\n## Riego',
      '\n\n| #Month | #Work |\n| --- | --- |\n| #May | #Sow `beans` |',
    ],
    ['the last paragraph', '\n', '\n', '\n\n#Never use `salt`, not even 1 gram.'],
  ])('gets missing %s in place, and nothing else', async (_, before, inSpanish, more) => {
    const put = (text: string, at: string, added: string): string => {
      const place = text.lastIndexOf(at);
      return text.slice(0, place) + added + text.slice(place);
    };
    const guide = put(GUIDE, before, more.replaceAll(/#(?=\w)/g, ''));
    const { asked, written, notes, coverage } = await sync(project(guide, JARDIN));
    expect(notes).toEqual([]);
    expect(written).toBe(put(JARDIN, inSpanish, more.replaceAll(/#(?=\w)/g, 'es:')));
    expect(coverage).toEqual({
      keys: 10 + asked.length,
      translated: 10,
      missing: asked.length,
      unmatched: 0,
    });
  });

  it.each([
    [
      'a table that has fewer columns',
      '| Month | Work | Tool | Days |\n| --- | --- | --- | --- |\n| May | Sow `beans` | A rake | 3 |\n| June | Water | A can | Every day |',
      '| Mes | Trabajo |\n| --- | --- |\n| Mayo | Sembrar `beans` |',
    ],
    ['a heading that is only code', '## `garden turn` command', '## `garden turn`'],
    ['an item that is only code', '- `garden turn` with a fork', '- `garden turn`'],
  ])('gets nothing in or beside %s', async (_, english, spanish) => {
    const guide = GUIDE.replace('## Watering', `${english}\n\n## Watering`);
    const jardin = JARDIN.replace('## Riego', `${spanish}\n\n## Riego`);
    const { asked, written, notes } = await sync(project(guide, jardin));
    expect(asked).toEqual([]);
    expect(written).toBe(jardin);
    expect(notes[0]).toMatch(/of the source: no clear counterpart, not compared$/);
  });

  it('gets a missing row of a table', async () => {
    const table = (words: readonly string[], row: string): string =>
      `| ${words[0]} | ${words[1]} |\n| --- | --- |\n| ${words[2]} | ${words[3]} |\n${row}| ${words[4]} | ${words[5]} |\n\n## `;
    const guide = GUIDE.replace(
      '## W',
      `${table(['Month', 'Work', 'May 5', 'Sow `beans`', 'July 20', 'Cut `hay` twice'], '| June 15 | Pick `peas` |\n')}W`,
    );
    const spanish = ['Mes', 'Trabajo', '5 de mayo', 'Sembrar `beans`', '20 de julio', 'Cortar el `hay`'];
    const { written } = await sync(project(guide, JARDIN.replace('## R', `${table(spanish, '')}R`)));
    expect(written).toBe(JARDIN.replace('## R', `${table(spanish, '| es:June 15 | es:Pick `peas` |\n')}R`));
  });

  it('keeps and reports a translator’s note in any place', async () => {
    const note = '*Nota del traductor: este texto es de un aficionado, y no de un experto en jardines.*';
    const jardin = JARDIN.replace('# El jardín\n', `# El jardín\n\n${note}\n`);
    const directory = project(GUIDE, jardin);
    const { asked, written, notes } = await sync(directory);
    expect(asked).toEqual([]);
    expect(written).toBe(jardin);
    expect(notes).toEqual(['line 7: no clear counterpart in the source, left unchanged']);
    // Later, the page follows its source: new content is inserted, and unchanged code follows the source.
    directory.write(
      'guide.md',
      GUIDE.replace('--year 2026', '--year 2027').replace(
        '\n## Watering',
        '\nBuy none before `May 15`.\n\n## Watering',
      ),
    );
    const later = await sync(directory);
    expect(later.asked).toHaveLength(1);
    expect(later.written).toBe(
      jardin
        .replace('--year 2026', '--year 2027')
        .replace('\n## Riego', '\nes:Buy none before `May 15`.\n\n## Riego'),
    );
  });

  it('reports a paragraph that may have been split, and inserts nothing next to it', async () => {
    const guide = GUIDE.replace(
      'You need a spade and a rake.',
      'You need a spade and a rake. Both of them can be borrowed from the neighbours for a week or two.',
    );
    const jardin = JARDIN.replace(
      'Se necesitan una pala y un rastrillo.',
      'Se necesitan una pala y un rastrillo.\n\nLas dos cosas se pueden pedir a los vecinos por una semana o dos.',
    );
    const { asked, written, notes, coverage } = await sync(project(guide, jardin));
    expect(asked).toEqual([]);
    expect(written).toBe(jardin);
    expect(notes).toEqual([
      'line 15 of the source: no clear counterpart, not compared',
      'lines 15-17: no clear counterpart in the source, left unchanged',
    ]);
    expect(coverage).toEqual({ keys: 10, translated: 9, missing: 0, unmatched: 1 });
  });

  it("translates a heading and a paragraph that the source has split since, and keeps a person's words", async () => {
    const directory = project(GUIDE, JARDIN.replace('::: tip', '::: tip CONSEJO'));
    await sync(directory);
    directory.write(
      'guide.md',
      GUIDE.replace('## Watering\n\n', '## Watering\n\nThe `pump` makes 3 bar.\n\n## Amounts\n\n'),
    );
    const { written } = await sync(directory);
    expect(written).toContain('Riegue por la mañana, 20 litros por bancal como mucho.');
    for (const line of JARDIN.split('\n').filter((text) => /\w/.test(text)))
      expect(written.split('\n').filter((own) => own === line || own === `${line} CONSEJO`)).toHaveLength(1);
  });

  it('gets a removed paragraph again, and keeps an added one', async () => {
    const directory = project(GUIDE, JARDIN);
    await sync(directory);
    const changed = JARDIN.replace('Se necesitan una pala y un rastrillo.\n\n', '').replace(
      '\n## Riego',
      '\nY nada más, dice la abuela.\n\n## Riego',
    );
    directory.write('es/guide.md', changed);
    const { asked, written, notes } = await sync(directory);
    expect(asked).toEqual(['es You need a spade and a rake.']);
    expect(written).toBe(
      changed.replace('## Herramientas\n', '## Herramientas\n\nes:You need a spade and a rake.\n'),
    );
    expect(notes).toEqual(['line 22: no clear counterpart in the source, left unchanged']);
  });

  it('keeps line ends, and blocks that it cannot match', async () => {
    const guide =
      GUIDE.replace('\n\n## Watering', '\n\n[Sow `beans`][1] in May.\n\n## Watering') + '\n[1]: ./beans.md\n';
    const jardin = JARDIN.replaceAll('\n', '\r\n');
    const { written, notes } = await sync(project(guide, jardin));
    expect(written).toBe(jardin);
    expect(notes.join()).toContain('of the source: no clear counterpart');
  });

  it('compares by place if the inserted texts complete the structure of the source', async () => {
    const unsure = 'A paragraph, of which the translation keeps nothing but the place in the garden.';
    const guide = `${GUIDE.replace('## Tools', `${unsure}\n\n\`x\` and \`y\`.\n\n## Tools`)}\n## Pots\n\nA pot has a hole.\n`;
    const jardin = JARDIN.replace('## Herramientas', 'Sí.\n\nNo.\n\n## Herramientas');
    const { asked, notes, coverage } = await sync(project(guide, jardin));
    expect(asked).toEqual(['es Pots', 'es A pot has a hole.']);
    expect(notes).toEqual([]);
    expect(coverage).toEqual({ keys: 14, translated: 12, missing: 2, unmatched: 0 });
  });

  it.each([
    ['padded', '| Rastrillo |       | Ligero |', '| Rastrillo | es:Gather leaves | Ligero |'],
    ['narrow', '|Rastrillo||Ligero|', '|Rastrillo| es:Gather leaves |Ligero|'],
    ['without outer bars', 'Rastrillo | | Ligero', 'Rastrillo | es:Gather leaves | Ligero'],
    ['next to another', '| Rastrillo |  |  |', '| Rastrillo | es:Gather leaves | es:Light |'],
    ['at the end', '| Rastrillo | Juntar hojas |   |', '| Rastrillo | Juntar hojas | es:Light |'],
  ])('gets the text of an empty cell: %s', async (_, row, filled) => {
    const isBare = !row.startsWith('|');
    const table = (rows: readonly string[]): string => {
      const lines = rows.map((line) => (isBare ? line.replace(/^\| | \|$/g, '') : line));
      return `${lines[0]}\n${isBare ? '--- | --- | ---' : '| --- | --- | --- |'}\n${lines.slice(1).join('\n')}\n`;
    };
    const source = [
      '| Tool | Use | Note |',
      '| Spade | Dig a hole | Heavy |',
      '| Rake | Gather leaves | Light |',
    ];
    const own = ['| Útil | Uso | Nota |', '| Pala | Cavar un hoyo | Pesada |', row];
    const jardin = `${JARDIN}\n${table(own)}`;
    const { asked, written, notes, coverage } = await sync(project(`${GUIDE}\n${table(source)}`, jardin));
    expect(written).toBe(jardin.replace(row, filled));
    expect(notes).toEqual([]);
    expect(coverage).toMatchObject({ missing: asked.length, unmatched: 0 });
  });

  it.each([
    ['aligned', JARDIN.replace('::: tip', '::: tip CONSEJO')],
    ['in the structure of its source', JARDIN],
  ])('requests a text again that an engine could not translate: %s', async (_, jardin) => {
    const directory = project(GUIDE, jardin);
    await sync(directory);
    directory.write('guide.md', GUIDE.replace('\n- A rake', '\n- Gloves of `leather`, size 42.\n- A rake'));
    const engine = new RecordingEngine();
    engine.broken.add('Gloves');
    await directory.sync(engine);
    const { languages } = await directory.check();
    expect(languages[0]?.coverage).toMatchObject({ keys: 11, translated: 10, missing: 1 });
    const { written } = await sync(directory);
    expect(written).toContain('\n- es:Gloves of `leather`, size 42.\n- Un rastrillo');
  });
});

it('sync reports a page that is a translation only by its name, with the first line that differs', async () => {
  const project = new ProjectDirectory({
    'README.md': '# Tool\n\nFirst words of all.\n\n## Use\n\nRun it.\n',
    'README.fr.md': '# Outil\n\nPremiers mots de tous.\n\n## Usage\n\nLancez.\n',
    'README.es.md': '# Otra\n\n- uno\n- dos\n\n```\nx\n```\n\n| a | b |\n| - | - |\n| c | d |\n',
  });
  const { languages } = await project.check({ targets: undefined });
  const notes = languages
    .flatMap((language) => language.allFiles())
    .flatMap((file) => file.notes ?? [])
    .map(describeNote);
  expect(notes).toEqual([expect.stringMatching(/^line 4: from here on, its headings, .* do not match/)]);
});
