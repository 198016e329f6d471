import { expect, it } from 'vitest';
import { ProjectDirectory } from '../project-directory.ts';
import { answerTo, rowsOf, save } from './answers.ts';

it('a file that an editor saves between comparison and write keeps the editor’s changes', async () => {
  const directory = new ProjectDirectory({
    'locales/en.json': '{"save": "Save", "open": "Open"}\n',
    'locales/es.json': '{"save": "Guardar", "open": "Abrir"}\n',
  });
  const edited = '{"save": "Guardar", "open": "Abrir ahora"}\n';
  const values = ['Grabar'];
  // The text is read after the file was compared.
  Object.defineProperty(values, 0, {
    get() {
      directory.write('locales/es.json', edited);
      return 'Grabar';
    },
  });
  const late = answerTo((await rowsOf(directory)).get('save'), { values, verdict: 'reviewed' });
  const [refused] = await save(directory, [late]);
  expect(refused).toMatchObject({
    kind: 'refused',
    reasons: ['locales/es.json was changed by another program just now'],
  });
  expect(directory.read('locales/es.json')).toBe(edited);
  const again = answerTo((await rowsOf(directory)).get('save'), { values: ['Grabar'], verdict: 'reviewed' });
  expect(await save(directory, [again])).toMatchObject([{ kind: 'saved' }]);
  expect(directory.read('locales/es.json')).toBe('{"save": "Grabar", "open": "Abrir ahora"}\n');
});
