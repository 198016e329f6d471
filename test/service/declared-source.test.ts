import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { createLocalService } from '../../src/service/local-service.ts';

const signal = new AbortController().signal;
const ENGLISH = 'The settings of your account were saved on this computer';

/** A service, and the source languages that its engine received. */
function recording() {
  const pseudo = createPseudoEngine();
  const sources: string[] = [];
  const engine: Engine = {
    ...pseudo,
    translate: (request, requestSignal) => {
      sources.push(request.source);
      return pseudo.translate(request, requestSignal);
    },
  };
  return { service: createLocalService({ engine }), sources };
}

describe('the source of a document', () => {
  it.each([
    ['auto', `<html lang="de-AT"><p>${ENGLISH}`, 'de-AT'],
    ['auto', `<html xml:lang="nl"><p>${ENGLISH}`, 'nl'],
    ['auto', `<html lang="klingon"><p>${ENGLISH}`, 'en'],
    ['auto', `<p>${ENGLISH}`, 'en'],
    ['fr', `<html lang="de"><p>${ENGLISH}`, 'fr'],
  ])('for %s and the page %s is %s', async (source, html, expected) => {
    const { service, sources } = recording();
    await service.translateHtml({ html, source, target: 'eo' }, { signal });
    expect(new Set(sources)).toEqual(new Set([expected]));
  });

  it.each([
    ['auto', 'de'],
    ['fr', 'fr'],
  ])('for %s and an e-mail whose page declares one is %s', async (source, expected) => {
    const { service, sources } = recording();
    const email = { subject: ENGLISH, email_body: `<html lang="de"><p>${ENGLISH}`, source, target: 'eo' };
    await service.translateEmail(email, { signal });
    expect(new Set(sources)).toEqual(new Set([expected]));
  });

  it('is detected from all texts of subtitles', async () => {
    const { service, sources } = recording();
    const cues = ['Modo oscuro', 'Ordenar por precio', 'Inténtelo de nuevo más tarde'].map(
      (text, i) => `${i + 1}\n00:00:0${i + 1},000 --> 00:00:0${i + 2},000\n${text}.\n`,
    );
    await service.translateSubtitles(
      { format: 'srt', content: cues.join('\n'), source: 'auto', target: 'eo' },
      { signal },
    );
    expect(new Set(sources)).toEqual(new Set(['es']));
  });
});
