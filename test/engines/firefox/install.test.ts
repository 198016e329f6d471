import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeCollection, type ModelRecord } from '../../../scripts/firefox/collection.ts';
import { makeModelSet } from '../../../scripts/firefox/model-set.ts';
import { readInstalled } from '../../../src/engines/firefox/installed.ts';
import { removeModel } from '../../../src/engines/firefox/models/install.ts';
import { startMirror, type Mirror } from './mirror.ts';
import { installInto, type Install } from './installer.ts';
import { sharedDirectory } from './models.ts';

const root = sharedDirectory();
const collection = join(root, 'collection');
let records: readonly ModelRecord[];
let mirror: Mirror;
let directory: string;

beforeAll(async () => {
  mkdirSync(collection);
  const set = (seed: number) => makeModelSet('syllables', seed);
  records = writeCollection(collection, [
    { source: 'en', target: 'es', set: set(1) },
    { source: 'en', target: 'de', set: set(2) },
    { source: 'fr', target: 'en', set: set(3) },
    { source: 'en', target: 'zh-Hans', set: set(4) },
    { source: 'zh-Hant', target: 'en', set: set(5) },
  ]);
  mirror = await startMirror(collection);
});

afterAll(() => mirror.close());

beforeEach(() => {
  directory = mkdtempSync(join(root, 'models-'));
  for (const fault of Object.keys(mirror.faults)) delete mirror.faults[fault as keyof typeof mirror.faults];
  mirror.requests.length = 0;
  mirror.records = undefined;
});

const install = (pairs: readonly string[], options: Install = {}): Promise<number> =>
  installInto(directory, pairs, { origin: { recordsUrl: mirror.recordsUrl }, ...options });

async function names(): Promise<readonly string[]> {
  return (await readInstalled(directory)).map(({ name }) => name);
}

const fileRequests = (): readonly string[] =>
  mirror.requests.filter((request) => request.includes('/files/'));
const partials = (): readonly string[] => readdirSync(join(directory, 'partial'));

/** The records, with changes in those of en-es. */
function withRecords(change: (record: ModelRecord) => object): void {
  mirror.records = JSON.stringify({
    data: records.map((record) =>
      record.targetLanguage === 'es' ? { ...record, ...change(record) } : record,
    ),
  });
}

describe('installing models', () => {
  it('finds, downloads and verifies the models, and requests nothing twice', async () => {
    const seen: (readonly [number, number])[] = [];
    expect(await install(['en-es'], { onProgress: (...at) => seen.push(at) })).toBeGreaterThan(40_000);
    expect(await names()).toEqual(['en-es']);
    expect(seen.at(-1)?.[0]).toBe(seen.at(-1)?.[1]);
    expect(partials()).toEqual([]);
    for (const name of readdirSync(join(directory, 'files'))) {
      expect(
        createHash('sha256')
          .update(readFileSync(join(directory, 'files', name)))
          .digest('hex'),
      ).toBe(name);
    }
    mirror.requests.length = 0;
    expect(await install(['en-es'])).toBe(0);
    expect(fileRequests()).toEqual([]);
  });

  it('installs both models if English is the pivot, and accepts any spelling', async () => {
    await install(['fr-de', 'en_zh-CN'.replace('_', '-')]);
    expect(await names()).toEqual(['en-de', 'en-zh-Hans', 'fr-en']);
  });

  it('installs no models for two scripts of a language, which English never connects', async () => {
    await expect(install(['zh-Hant-zh-Hans'])).rejects.toMatchObject({ code: 'not_found' });
    expect(await names()).toEqual([]);
  });

  it('reports unknown and invalid pairs', async () => {
    await expect(install(['en-ja'])).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('list --available'),
    });
    await expect(install(['en-ess'])).rejects.toMatchObject({ code: 'usage' });
    await expect(install(['en'])).rejects.toMatchObject({ code: 'usage' });
    await expect(install(['../../etc-passwd'])).rejects.toMatchObject({ code: 'usage' });
  });

  it('resumes after a broken connection in the same run', async () => {
    mirror.faults.cut = { after: 20_000, times: 2 };
    await install(['en-es'], { onProgress: (done) => done % 20_000 === 0 && mirror.drop() });
    expect(await names()).toEqual(['en-es']);
    expect(fileRequests().filter((request) => request.includes('bytes='))).toEqual([
      expect.stringMatching(/ bytes=20000-$/),
      expect.stringMatching(/ bytes=40000-$/),
    ]);
  });

  it('resumes an interrupted earlier run', async () => {
    mirror.faults.cut = { after: 20_000, times: 1 };
    const first = install(['en-es'], {
      onProgress(done) {
        if (done < 20_000) return;
        mirror.faults.status = { code: 403, times: 9 };
        mirror.drop();
      },
    });
    await expect(first).rejects.toMatchObject({ code: 'service_failed', status: 403 });
    expect(await names()).toEqual([]);
    expect(partials()).toHaveLength(1);
    delete mirror.faults.status;
    mirror.requests.length = 0;
    await install(['en-es']);
    expect(fileRequests()[0]).toMatch(/bytes=20000-$/);
    expect(await names()).toEqual(['en-es']);
  });

  it('takes over from a killed process, but not from a living one', async () => {
    const { attachment } = records[0]!;
    const packed = readFileSync(join(collection, attachment.location));
    const leave = (pid: number, bytes: Uint8Array): string => {
      const left = join(directory, 'partial', `${attachment.hash}.${pid}-0123456789ab`);
      mkdirSync(left, { recursive: true });
      writeFileSync(join(left, 'data'), bytes);
      return left;
    };
    const living = leave(process.ppid, packed.subarray(0, 5_000));
    const dead = leave(999_999_999, packed.subarray(0, 7_000));
    await install(['en-es']);
    expect(fileRequests()[0]).toMatch(/bytes=7000-$/);
    expect([existsSync(living), existsSync(dead)]).toEqual([true, false]);
  });

  it.each([
    ['the server does not support ranges', { noRanges: true }],
    ['the file has changed since', { changed: true }],
  ])('starts again if %s', async (_, faults) => {
    mirror.faults.cut = { after: 20_000, times: 1 };
    const started = install(['en-es'], {
      onProgress(done) {
        if (done !== 20_000) return;
        Object.assign(mirror.faults, faults);
        mirror.drop();
      },
    });
    await started;
    expect(await names()).toEqual(['en-es']);
  });

  it('starts again once if the partial file has other content', async () => {
    const { attachment } = records[0]!;
    const left = join(directory, 'partial', attachment.hash);
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'data'), 'x'.repeat(3_000));
    await install(['en-es']);
    expect(await names()).toEqual(['en-es']);
  });

  it('keeps nothing of a file that does not match its record', async () => {
    mirror.faults.corrupt = true;
    await expect(install(['en-es'])).rejects.toMatchObject({
      code: 'integrity',
      message: expect.stringContaining('does not match its record'),
    });
    expect(await names()).toEqual([]);
    expect(readdirSync(join(directory, 'files'))).toEqual([]);
    delete mirror.faults.corrupt;
    await install(['en-es']);
    expect(await names()).toEqual(['en-es']);
  });

  it('stops reading a file that is longer than its record says', async () => {
    mirror.faults.excess = 1_000_000;
    await expect(install(['en-es'])).rejects.toMatchObject({
      code: 'integrity',
      message: expect.stringContaining('longer'),
    });
  });

  it.each([
    ['content', { decompressedHash: 'a'.repeat(64) }],
    ['size of content', { decompressedSize: 17 }],
  ])('rejects a file with a different %s', async (_, change) => {
    withRecords(() => change);
    await expect(install(['en-es'])).rejects.toMatchObject({ code: 'integrity' });
    expect(await names()).toEqual([]);
    expect(readdirSync(join(directory, 'files'))).toEqual([]);
  });

  it.each([
    '../../../etc/passwd',
    '/etc/passwd',
    'a//b',
    'https://example.org/x',
    'a/../../b',
    'a%2f..%2fb',
    'a\\..\\b',
    '',
    'x?y',
  ])('does not download files from %j', async (location) => {
    withRecords(({ attachment }) => ({ attachment: { ...attachment, location } }));
    await expect(install(['en-es'])).rejects.toMatchObject({ code: 'contract_violation' });
    expect(fileRequests()).toEqual([]);
  });

  it('never uses a record as a path, and skips unusable ones', async () => {
    withRecords(() => ({ name: '../../../evil', version: '3.0' }));
    await install(['en-es']);
    expect(readdirSync(directory).sort()).toEqual(['en-es.json', 'files', 'partial']);
    for (const change of [
      { targetLanguage: '../es' },
      { version: '4.0' },
      { version: 3 },
      { fileType: 'qualityModel' },
      { attachment: null },
      { decompressedHash: undefined, attachment: { hash: 'x', size: 1, location: 'a' } },
    ]) {
      withRecords(() => change);
      await expect(install(['en-es'])).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('identifies records without content hashes by the hashes of their files', async () => {
    withRecords(() => ({ decompressedHash: undefined, decompressedSize: undefined }));
    expect(await install(['en-es'])).toBeGreaterThan(0);
    expect(await names()).toEqual(['en-es']);
    expect(await install(['en-es'])).toBe(0);
  });

  it('abandons a server that fails, is silent or missing, and suggests what to do', async () => {
    mirror.faults.status = { code: 503, times: 99 };
    await expect(install(['en-es'])).rejects.toMatchObject({ code: 'service_failed', status: 503 });
    mirror.faults.status = { code: 404, times: 99 };
    await expect(install(['en-es'])).rejects.toMatchObject({ code: 'not_found' });
    delete mirror.faults.status;
    mirror.faults.silent = true;
    await expect(install(['en-es'], { timeoutMs: 100 })).rejects.toMatchObject({ code: 'unreachable' });
    const nowhere = { recordsUrl: 'http://127.0.0.1:1/v1/buckets/records' };
    await expect(install(['en-es'], { origin: nowhere })).rejects.toMatchObject({
      code: 'unreachable',
      hint: expect.stringContaining('DRAGOMAN_FIREFOX_RECORDS_URL'),
    });
  });

  it('stops at a signal, and continues later', async () => {
    const controller = new AbortController();
    const stopped = install(['en-es'], { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(stopped).rejects.toMatchObject({ code: 'interrupted' });
    await install(['en-es']);
    expect(await names()).toEqual(['en-es']);
  });

  it('reports that it cannot write', async () => {
    rmSync(directory, { recursive: true });
    writeFileSync(directory, 'a file');
    await expect(install(['en-es'])).rejects.toMatchObject({ code: 'unwritable_output' });
  });

  it('removes downloads that were abandoned long ago', async () => {
    const old = join(directory, 'partial', 'f'.repeat(64));
    mkdirSync(old, { recursive: true });
    utimesSync(old, 1, 1);
    await install(['en-es']);
    expect(partials()).toEqual([]);
  });

  it('restores damaged and deleted files', async () => {
    await install(['en-es']);
    const [one, two] = readdirSync(join(directory, 'files'));
    writeFileSync(join(directory, 'files', one!), 'damaged');
    rmSync(join(directory, 'files', two!));
    expect(await install(['en-es'])).toBeGreaterThan(0);
    expect(fileRequests().length).toBeGreaterThanOrEqual(5);
    expect(readFileSync(join(directory, 'files', one!)).length).toBeGreaterThan(1_000);
  });

  it('can run several times at once', async () => {
    await Promise.all([
      install(['en-es']),
      install(['en-es', 'en-de']),
      install(['en-de']),
      install(['en-es']),
    ]);
    expect(await names()).toEqual(['en-de', 'en-es']);
    expect(await install(['en-es', 'en-de'])).toBe(0);
    expect(partials()).toEqual([]);
    expect(readdirSync(join(directory, 'files')).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
  });

  it('replaces a model with a newer one, and removes it with files that no other uses', async () => {
    await install(['en-es', 'en-de']);
    const before = readdirSync(join(directory, 'files'));
    const newer = join(root, 'newer');
    mkdirSync(newer, { recursive: true });
    const set = makeModelSet('syllables', 99);
    writeCollection(newer, [
      { source: 'en', target: 'es', set: makeModelSet('syllables', 98), version: '3.1a1' },
      { source: 'en', target: 'es', set, version: '3.1' },
      {
        source: 'en',
        target: 'es',
        set: makeModelSet('syllables', 97),
        version: '3.0',
        architecture: 'base',
      },
    ]);
    await install(['en-es'], { origin: { recordsUrl: pathToFileURL(join(newer, 'records.json')).href } });
    const [, spanish] = await readInstalled(directory);
    expect(spanish).toMatchObject({ name: 'en-es', version: '3.1' });
    const after = readdirSync(join(directory, 'files'));
    // The vocabulary is the same in all of them.
    expect(before.filter((name) => !after.includes(name))).toHaveLength(2);
    expect(await removeModel(directory, 'en-es')).toBe(true);
    expect(await removeModel(directory, 'en-es')).toBe(false);
    expect(await names()).toEqual(['en-de']);
    expect(readdirSync(join(directory, 'files'))).toHaveLength(3);
    await removeModel(directory, 'en-de');
    expect(readdirSync(join(directory, 'files'))).toEqual([]);
  });
});

describe('the origin of models', () => {
  it('may be a copy on this machine, by address or by path', async () => {
    for (const recordsUrl of [
      pathToFileURL(join(collection, 'records.json')).href,
      join(collection, 'records.json'),
    ]) {
      await install(['en-es'], { origin: { recordsUrl } });
      expect(await names()).toEqual(['en-es']);
      await removeModel(directory, 'en-es');
    }
    expect(mirror.requests).toEqual([]);
  });

  it('may be two mirrors, and one that redirects', async () => {
    await install(['en-es'], {
      origin: { recordsUrl: `${mirror.url}/moved/records`, attachmentsUrl: pathToFileURL(collection).href },
    });
    expect(await names()).toEqual(['en-es']);
    expect(mirror.requests).toEqual(['GET /moved/records', `GET ${new URL(mirror.recordsUrl).pathname}`]);
  });

  it.each([
    'http://example.org/records',
    'ftp://127.0.0.1/records',
    'records.json',
    'http://127.0.0.1.example.org/',
  ])('is never %s', async (recordsUrl) => {
    await expect(install(['en-es'], { origin: { recordsUrl } })).rejects.toMatchObject({
      code: 'configuration',
    });
  });

  it('must be a list of records of reasonable size', async () => {
    for (const body of ['', '{}', '[]', 'null', '{"data":{}}', '<html>']) {
      mirror.records = body;
      await expect(install(['en-es'])).rejects.toMatchObject({ code: 'contract_violation' });
    }
    mirror.records = 'x'.repeat(17 * 1024 * 1024);
    await expect(install(['en-es'])).rejects.toMatchObject({ code: 'limit_exceeded' });
    const missing = { recordsUrl: pathToFileURL(join(root, 'none.json')).href };
    await expect(install(['en-es'], { origin: missing })).rejects.toMatchObject({ code: 'unreadable_input' });
  });
});
