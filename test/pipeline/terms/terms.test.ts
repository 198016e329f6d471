import { expect, it } from 'vitest';
import { termsFor } from '../../../src/pipeline/terms/terms.ts';

it('takes names out and puts them back', () => {
  const glossary = {
    terms: [{ term: 'Firefox', translations: new Map(), doNotTranslate: true, caseSensitive: true }],
  };
  const segment = termsFor(glossary, 'en', 'de')?.protect('Open <x id="1">Firefox</x> now');
  expect(segment?.tagged).toBe('Open <x id="1"><x id="2"/></x> now');
  expect(segment?.restore('Jetzt <x id="1"><x id="2"/></x> öffnen')).toBe(
    'Jetzt <x id="1">Firefox</x> öffnen',
  );
});
