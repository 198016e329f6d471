import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { addAccount, createJob, ended, openRoom, type Room } from './room.ts';

const ENGLISH = 'The settings of your account were saved on this computer';

describe('the source language of a job', () => {
  let room: Room;
  let account: string;
  beforeAll(async () => {
    room = await openRoom({ engine: createPseudoEngine() });
    account = await addAccount(room);
  });
  afterAll(() => room.close());

  it.each([
    ['that its file declares', 'app.json', `{ "@@locale": "de", "a": "${ENGLISH}" }`, 'de'],
    ['of a root key', 'app.yml', `nl:\n  a: ${ENGLISH}\n`, 'nl'],
    [
      'of a PO file by its messages',
      'de.po',
      `msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "${ENGLISH}"\nmsgstr "Die Einstellungen"\n`,
      'en',
    ],
    ['of the texts if the declared one is unknown', 'app.json', `{"@@locale":"tlh","a":"${ENGLISH}"}`, 'en'],
  ])('is the one %s', async (_, filename, content, language) => {
    const id = await createJob(room, account, { filename, content, source: 'auto', targets: 'eo' });
    expect(await ended(room, account, id)).toMatchObject({
      status: 'completed',
      source_language: language,
      translated_keys: 1,
    });
  });

  it('is the explicitly named one above all', async () => {
    const content = `{ "@@locale": "de", "a": "${ENGLISH}" }`;
    const id = await createJob(room, account, { filename: 'a.json', content, source: 'fr', targets: 'eo' });
    expect(await ended(room, account, id)).toMatchObject({ source_language: 'fr' });
  });
});
