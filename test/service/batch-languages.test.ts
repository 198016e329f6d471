import { describe, expect, it } from 'vitest';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { detectEach } from '../../src/service/batch-languages.ts';
import { createLocalService } from '../../src/service/local-service.ts';
import { translateAll } from '../../src/service/translate-all.ts';

const signal = new AbortController().signal;

/** Several of them alone look like Galician, Catalan or Portuguese. */
const SPANISH = [
  'Recordarme en este dispositivo',
  'Modo oscuro',
  'Agotado',
  'Envío gratuito',
  'Ordenar por precio',
  'Cambiar nombre de la carpeta',
  'Sin conexión a Internet',
  'Inténtelo de nuevo más tarde',
  'Política de privacidad',
  'Pantalla completa',
];
const GERMAN = [
  'Passwort vergessen?',
  'Dunkelmodus',
  'Kostenloser Versand',
  'Ihre Bestellung wurde aufgegeben',
  'Nach Preis sortieren',
  'Ordner umbenennen',
  'Keine Internetverbindung',
  'Später erneut versuchen',
  'Datenschutzerklärung',
  'Vollbild',
];

const all = (language: string, { length }: readonly unknown[]) => Array.from({ length }, () => language);

describe('detectEach', () => {
  it('assumes that short texts are in the common language of the batch', async () => {
    expect(await detectEach(SPANISH)).toEqual(all('es', SPANISH));
    expect(await detectEach(GERMAN)).toEqual(all('de', GERMAN));
  });

  it('distinguishes texts of two languages', async () => {
    const spanish = SPANISH.filter((text) => text.length > 20 && !text.startsWith('Sin'));
    const german = GERMAN.filter((text) => text.length > 15);
    const languages = await detectEach([...spanish, ...german]);
    expect(languages).toEqual([...all('es', spanish), ...all('de', german)]);
  });

  it('separates a long and certain text, or one in another script', async () => {
    const others = ['Wir haben Ihnen eine E-Mail geschickt, um Ihre Adresse zu bestätigen.', 'Войти', '설정'];
    expect(await detectEach([...SPANISH, ...others])).toEqual([...all('es', SPANISH), 'de', 'ru', 'ko']);
  });

  it('detects the language of each text separately if there are only a few', async () => {
    expect(await detectEach(['Save the file', 'Guardar', 'Enregistrer'])).toEqual(['en', 'es', 'fr']);
  });

  it('assumes the language of the file for a short text', async () => {
    expect(await detectEach(['Pantalla completa'], SPANISH)).toEqual(['es']);
    expect(await detectEach(['Sin conexión a Internet', '12'], SPANISH)).toEqual(['es', 'es']);
  });

  it('leaves texts without letters undetermined if they are alone', async () => {
    expect(await detectEach(['12', '3'])).toEqual([undefined, undefined]);
    expect(await detectEach([])).toEqual([]);
  });
});

describe('translateAll', () => {
  it('lets all texts determine the language of each batch', async () => {
    const service = createLocalService({ engine: createPseudoEngine() });
    // One text is left for the last batch.
    const texts = [...Array.from({ length: 100 }, (_, i) => `${SPANISH[i % 6]} (${i})`), 'Pantalla completa'];
    const { items } = await translateAll(service, texts, { source: 'auto', target: 'eo' }, { signal });
    expect(items.map(({ source }) => source)).toEqual(all('es', texts));
  });
});
