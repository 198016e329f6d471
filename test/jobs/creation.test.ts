import { readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_FILE_BYTES } from '../../src/contract/limits.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { spellInFile } from '../../src/formats/registry.ts';
import { supportedLanguages } from '../../src/languages/catalog.ts';
import { openFile } from '../../src/documents/localization/open-file.ts';
import { translateFile } from '../../src/documents/localization/translate-file.ts';
import {
  accountOf,
  addAccount,
  checkBooks,
  createJob,
  download,
  ended,
  noSignal,
  openRoom,
  status,
  writeUpload,
  type Ask,
  type Room,
} from './room.ts';

/** Like the pseudo engine, without Japanese. */
const pseudo = createPseudoEngine();
const engine: Engine = {
  ...pseudo,
  id: 'narrow',
  supports: (source, target) => Promise.resolve(source === 'en' && target !== 'ja'),
  status: () =>
    Promise.resolve({
      id: 'narrow',
      ready: true,
      detail: '',
      pairs: [
        { source: 'en', target: 'fr' },
        { source: 'en', target: 'de' },
        { source: 'fr', target: 'en' },
      ],
    }),
};

let room: Room;
let account: string;
beforeAll(async () => {
  room = await openRoom({ engine });
  account = await addAccount(room);
});
afterAll(() => room.close());

/** A refused request leaves no row, no file and no credit reserved. */
async function expectRefusal(ask: Ask, error: object): Promise<void> {
  const before = await room.jobs.of(account).listJobs(noSignal);
  await expect(createJob(room, account, ask)).rejects.toMatchObject(error);
  const after = await room.jobs.of(account).listJobs(noSignal);
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  const rows = await room.database.sql.selectFrom('jobs').select('id').execute();
  expect((await readdir(join(room.directory, 'jobs'))).sort()).toEqual(rows.map(({ id }) => id).sort());
  await checkBooks(room);
}

describe('a request', () => {
  it.each<[string, Ask, object]>([
    [
      'without a known extension',
      { filename: 'messages.txt' },
      {
        code: 'invalid_request',
        message:
          'file must have one of the extensions .json, .yaml, .yml, .po, .pot, .properties, .strings, .xml',
      },
    ],
    ['with only an extension as its name', { filename: '.json' }, { code: 'invalid_request' }],
    ['with a name that consists of directories', { filename: 'a/b/..' }, { code: 'invalid_request' }],
    ['with no name', { filename: '' }, { code: 'invalid_request', message: /must have a name/ }],
    ['with a name that is too long', { filename: `${'n'.repeat(251)}.json` }, { code: 'invalid_request' }],
    ['with an unknown target', { targets: 'fr,xx-nonsense' }, { code: 'unsupported_language' }],
    ['into auto', { targets: 'auto' }, { code: 'unsupported_language' }],
    ['from an unknown source', { source: 'nonsense' }, { code: 'unsupported_language' }],
    [
      'into a language that the engine does not support',
      { targets: 'de,ja' },
      {
        code: 'unsupported_language',
        message: 'cannot translate en (English) into ja',
        hint: 'supported languages: de, fr',
      },
    ],
    [
      'from a language that the engine does not support',
      { source: 'it', targets: 'de' },
      { code: 'unsupported_language', hint: 'supported languages: none from it' },
    ],
    [
      'with a webhook on this machine',
      { webhook: 'https://127.0.0.1/' },
      { code: 'invalid_request', message: /webhook_url/ },
    ],
    [
      'whose language cannot be detected',
      { source: 'auto', content: '{"a":"ᚑᚌᚐᚋ"}' },
      { code: 'invalid_request', message: /name it in source_language/ },
    ],
    [
      'with a file without keys',
      { content: ' '.repeat(1_000) + '{}' },
      { code: 'invalid_request', message: 'the file has no keys to translate' },
    ],
    [
      'with a file that is not well-formed',
      { content: '{\n  "a": "b",\n  "c"\n}' },
      { code: 'unreadable_input', at: { file: 'messages.json', line: 4 } },
    ],
    [
      'with a file in the wrong encoding',
      { content: new Uint8Array([0x7b, 0xff, 0x7d]) },
      { code: 'unreadable_input', at: { file: 'messages.json', line: 1 } },
    ],
    [
      'with a file of another format',
      { filename: 'strings.xml', content: '{"a":"b"}' },
      { code: 'unreadable_input' },
    ],
    [
      'with an alias bomb',
      { filename: 'bomb.yaml', content: aliasBomb() },
      { code: 'limit_exceeded', message: "the file's aliases expand to more than 100 MB" },
    ],
    ['with an entity bomb', { filename: 'bomb.xml', content: entityBomb() }, { code: 'limit_exceeded' }],
    [
      'with a file that is nested too deeply',
      { content: '['.repeat(100_000) + ']'.repeat(100_000) },
      { code: 'limit_exceeded' },
    ],
  ])('%s is refused', async (_, ask, error) => {
    await expectRefusal(
      ask,
      Object.fromEntries(
        Object.entries(error).map(([field, value]) => [
          field,
          value instanceof RegExp
            ? expect.stringMatching(value)
            : field === 'at'
              ? expect.objectContaining(value as object)
              : (value as unknown),
        ]),
      ),
    );
  });

  it('does not reveal the path of the upload', async () => {
    const failure: unknown = await createJob(room, account, { content: '{' }).catch(
      (error: unknown) => error,
    );
    expect(JSON.stringify(failure) + String(failure)).not.toContain(room.directory);
  });

  it('uses each language once, in order, however it is spelled', async () => {
    const id = await createJob(room, account, { targets: 'pt_BR, de,pt-br,DE,zh-Hans' });
    expect((await status(room, account, id)).target_languages).toEqual(['pt-BR', 'de', 'zh-CN']);
  });

  it('may name 50 languages', async () => {
    const codes = supportedLanguages()
      .map(({ code }) => code)
      .filter((code) => !['ja', 'en'].includes(code) && !code.startsWith('en'));
    const id = await createJob(room, account, { targets: codes.slice(0, 50).join(',') });
    const job = await ended(room, account, id);
    expect(job.translated_files.length).toBe(50);
  });

  it('answers with a pending job', async () => {
    const upload = await writeUpload(room, 'a.json', '{"a":"Hello"}');
    const request = { source_language: 'en', target_languages: 'fr' };
    const answer = await room.jobs.of(account).createJob(request, upload, noSignal);
    expect(answer).toEqual({
      job_id: expect.any(String),
      status: 'pending',
      message: 'job created: 1 key into 1 language',
    });
    expect(await readFile(upload.path, 'utf8')).toBe('{"a":"Hello"}');
  });

  it('treats a name only as a name', async () => {
    const id = await createJob(room, account, { filename: 'C:\\x\\..\\../../eté\u0007 "1".json' });
    const job = await ended(room, account, id);
    expect(job.original_filename).toBe('eté "1".json');
    const file = await room.jobs.of(account).downloadJob(id, { language_code: 'fr' }, noSignal);
    expect(file.filename).toBe('eté "1"_fr.json');
    for await (const part of file.content) expect(part.length).toBe(file.size);
  });

  it('creates nothing when it is cancelled', async () => {
    const upload = await writeUpload(room, 'a.json', '{"a":"Hello"}');
    const request = { source_language: 'en', target_languages: 'fr' };
    const before = (await room.jobs.of(account).listJobs(noSignal)).length;
    const aborted = { signal: AbortSignal.abort() };
    const soon = new AbortController();
    const calls = [
      room.jobs.of(account).createJob(request, upload, aborted),
      room.jobs.of(account).createJob(request, upload, { signal: soon.signal }),
    ];
    soon.abort();
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'interrupted' });
    expect((await room.jobs.of(account).listJobs(noSignal)).length).toBe(before);
    expect((await readdir(join(room.directory, 'jobs'))).length).toBe(before);
  });

  it('reads an upload from any directory, but only regular files', async () => {
    const { path } = await writeUpload(room, 'real.json', '{"a":"Hello"}');
    const link = join(room.directory, 'link.json');
    await symlink(path, link);
    const request = { source_language: 'en', target_languages: 'fr' };
    const create = (from: string) =>
      room.jobs.of(account).createJob(request, { filename: 'x.json', path: from }, noSignal);
    expect((await create(link)).status).toBe('pending');
    await expect(create(room.directory)).rejects.toMatchObject({ code: 'unreadable_input' });
    await expect(create(join(room.directory, 'missing'))).rejects.toMatchObject({ code: 'unreadable_input' });
  });
});

describe('credits', () => {
  it.each([
    [4, true],
    [3, false],
  ])('with %d of 4: %s', async (credits, isEnough) => {
    const poor = await addAccount(room, credits);
    const job = createJob(room, poor, { targets: 'fr,de' });
    if (isEnough) {
      await ended(room, poor, await job);
      expect((await accountOf(room, poor)).balance).toBe(0);
    } else {
      await expect(job).rejects.toMatchObject({
        code: 'insufficient_credits',
        message: 'insufficient credits: 3 remaining, 4 required',
      });
      expect(await accountOf(room, poor)).toMatchObject({ balance: 3, reserved: 0 });
    }
    await checkBooks(room);
  });

  it('are never spent twice: of 20 concurrent jobs, only those that the credits cover succeed', async () => {
    const poor = await addAccount(room, 10);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => createJob(room, poor)));
    const created = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failures = results
      .filter((result) => result.status === 'rejected')
      .map(({ reason }) => reason as unknown);
    expect(failures).toEqual(Array(15).fill(expect.objectContaining({ code: 'insufficient_credits' })));
    for (const id of created) await ended(room, poor, id);
    expect(await accountOf(room, poor)).toMatchObject({ balance: 0, reserved: 0 });
    await checkBooks(room);
  });
});

describe('a file', () => {
  it('of 10 MB is accepted, and one that is a byte larger is not', async () => {
    const head = '{"a":"Hello"';
    const padded = (size: number): string => `${head}${' '.repeat(size - head.length - 1)}}`;
    const id = await createJob(room, account, { content: padded(MAX_FILE_BYTES) });
    expect((await ended(room, account, id)).translated_files[0]?.file_size).toBe(MAX_FILE_BYTES + 5);
    await room.jobs.of(account).deleteJob(id, noSignal);
    await expectRefusal({ content: padded(MAX_FILE_BYTES + 1) }, { code: 'limit_exceeded' });
  });

  it('is judged by its size before it is read', async () => {
    const { path } = await writeUpload(room, 'sparse.json', '');
    await truncate(path, 2 ** 40).catch(() => writeFile(path, Buffer.alloc(MAX_FILE_BYTES + 1)));
    const request = { source_language: 'en', target_languages: 'fr' };
    const upload = { filename: 'sparse.json', path };
    await expect(room.jobs.of(account).createJob(request, upload, noSignal)).rejects.toMatchObject({
      code: 'limit_exceeded',
    });
  });
});

const FILES: readonly (readonly [string, string | Uint8Array, number])[] = [
  [
    'app.json',
    '{\n\t"a": {"b": "Open {file}"},\n\t"n": 1,\n\t"a2": "Open {file}", "empty": "", "blank": " "\n}',
    2,
  ],
  ['app.yaml', 'en:\n  title: Open file # note\n  list:\n    - One thing\n    - Another\n', 3],
  ['app.yml', 'title: "Open file"\n', 1],
  [
    'app.po',
    'msgid ""\nmsgstr ""\n"Language: en\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\nmsgid "One file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n\nmsgid "Open"\nmsgstr ""\n',
    2,
  ],
  ['app.properties', '# note\ntitle = Open file\nother : Close it\ntitle = Again\n', 2],
  ['Localizable.strings', '/* note */\n"title" = "Open %@";\n', 1],
  [
    'strings.xml',
    '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n  <string name="a">Open</string>\n  <plurals name="n">\n    <item quantity="one">%d file</item>\n    <item quantity="other">%d files</item>\n  </plurals>\n</resources>\n',
    2,
  ],
  [
    'utf16.strings',
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('"a" = "Open";\r\n', 'utf16le')]),
    1,
  ],
];

describe('every format', () => {
  it.each(FILES)('%s is translated as it is locally', async (filename, content, keys) => {
    const id = await createJob(room, account, { filename, content, source: 'auto', targets: 'de,zh-CN,pl' });
    const job = await ended(room, account, id);
    expect(job).toMatchObject({ status: 'completed', total_keys: keys, translated_keys: keys });
    expect(job.source_language).toBe('en');
    const { path } = await writeUpload(room, filename, content);
    for (const locale of ['de', 'zh-CN', 'pl']) {
      const file = await openFile(path, { locale: 'en' });
      const expected = await translateFile(
        file,
        { locale, spelling: spellInFile(locale, file.format) },
        { engine: pseudo, source: 'en', ...noSignal },
      );
      expect(await download(room.jobs.of(account), id, locale)).toEqual(Buffer.from(expected.bytes));
    }
    expect(Buffer.from(content).equals(await readFile(join(room.directory, 'jobs', id, 'source')))).toBe(
      true,
    );
  });
});

function aliasBomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 12; i++)
    lines.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  return lines.join('\n');
}

function entityBomb(): string {
  const entities = ['<!ENTITY e0 "word word word word">'];
  for (let i = 1; i < 12; i++) entities.push(`<!ENTITY e${i} "${`&e${i - 1};`.repeat(10)}">`);
  return `<!DOCTYPE r [${entities.join('')}]><r><a>&e11;</a></r>`;
}
