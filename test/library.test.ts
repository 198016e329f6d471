import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  checkProject,
  createEngine,
  type EngineName,
  openEmail,
  openProjects,
  openSubtitles,
  translateMessage,
  translateSubtitleFile,
  verify,
} from '../src/index.ts';
import { projectWith } from './cli/harness.ts';

const { signal } = new AbortController();

describe('the library', () => {
  it('opens and translates subtitles like other files', async () => {
    const root = projectWith({ 'movie.srt': '' });
    const path = join(root, 'movie.srt');
    writeFileSync(path, Buffer.from('1\r\n00:00:01,000 --> 00:00:02,000\r\nCaf\xe9 today\r\n', 'latin1'));
    const file = await openSubtitles(path, { encoding: 'windows-1252' });
    expect(file.format).toBe('srt');
    expect(file.document.slots.map(({ value }) => value)).toEqual(['Café today']);
    const name: EngineName = 'pseudo';
    const engine = await createEngine(name);
    const { bytes, failures } = await translateSubtitleFile(file, {
      engine,
      source: 'en',
      target: 'es',
      signal,
    });
    await engine.close();
    expect(failures).toEqual([]);
    expect(Buffer.from(bytes).toString()).toMatch(/^1\r\n00:00:01,000 --> 00:00:02,000\r\n\S.*\r\n$/);
    await expect(openSubtitles(join(root, 'notes.txt'))).rejects.toMatchObject({ code: 'unreadable_input' });
  });

  it('opens and translates e-mail messages like other files', async () => {
    const root = projectWith({
      'mail.eml': 'From: a@b.org\r\nSubject: Good morning\r\n\r\nThe garden is closed.\r\n',
    });
    const email = await openEmail(join(root, 'mail.eml'));
    expect(email.subject?.value).toBe('Good morning');
    const engine = await createEngine('pseudo', {});
    const { bytes, texts } = await translateMessage(email, { engine, source: 'en', target: 'es', signal });
    await engine.close();
    expect(texts).toBe(2);
    expect(Buffer.from(bytes).toString()).toMatch(/^From: a@b\.org\r\nSubject: /);
  });

  it('verifies a translation against its source', () => {
    const plain = { syntax: 'plain', locale: 'es' } as const;
    expect(verify('Hello {name}', 'Hola {name}', plain)).toEqual([]);
    expect(verify('Hello {name}', 'Hola', plain)).toMatchObject([{ rule: 'placeholder-mismatch' }]);
    expect(
      verify('{n, plural, other {#}}', '{n, plural, other {#}', { syntax: 'icu', locale: 'es' }),
    ).toMatchObject([{ rule: 'icu-syntax' }]);
  });

  it('checks a project without a state directory', async () => {
    const root = projectWith({
      'locales/en.json': '{"a": "One", "b": "Two"}\n',
      'locales/es.json': '{"a": "Uno"}\n',
    });
    const [project] = await openProjects([join(root, 'locales')], { source: 'en', targets: ['es'] });
    expect(project).toBeDefined();
    if (!project) return;
    const { languages } = await checkProject(project, { signal });
    expect(languages).toMatchObject([{ locale: 'es', coverage: { keys: 2, missing: 1 } }]);
  });
});
