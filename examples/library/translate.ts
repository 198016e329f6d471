// Translates a localization directory and a single file, and prints the problems found.
import { readFile, writeFile } from 'node:fs/promises';
import { stderr, stdout } from 'node:process';
import {
  createEngine,
  describe,
  DragomanError,
  lintProject,
  openBytes,
  openProjects,
  render,
  spellInFile,
  stateDirectory,
  syncProject,
  translateFile,
} from 'dragoman';

const engine = await createEngine('pseudo', {});
const { signal } = new AbortController();
try {
  // A directory, like `dragoman sync locales -s en -t fr`. The caller owns the engine and must close it.
  const [project] = await openProjects(['locales'], { source: 'en', targets: ['fr'] });
  if (project) {
    const report = await syncProject(project, {
      engine: () => Promise.resolve(engine),
      stateDirectory: stateDirectory(),
      signal,
    });
    stdout.write(`${report.languages.map(({ locale }) => locale).join(', ')} written\n`);
    for (const { file, line, message } of await lintProject(project, signal))
      stdout.write(`${file}:${line}: ${message}\n`);
  }

  // One file: bytes in, bytes out.
  const file = await openBytes(await readFile('app.properties'), 'app.properties');
  const target = { locale: 'fr', spelling: spellInFile('fr', file.format) };
  const { bytes, failed } = await translateFile(file, target, { engine, source: 'en', signal });
  await writeFile('app_fr.properties', bytes);
  for (const { key, position, reason } of failed)
    stdout.write(`app.properties:${position.line}: ${key.join('.')}: ${reason}\n`);

  // One value: only its bytes change, and the result is read back before it is returned.
  const title = file.document.slots.findIndex(({ key }) => key.join('.') === 'title');
  const { text } = render(file.format, file.document, new Map([[title, 'Bienvenue']]), file.scanOptions);
  stdout.write(text);
} catch (error) {
  if (!(error instanceof DragomanError)) throw error;
  stderr.write(`${describe(error)}\n`);
} finally {
  await engine.close();
}
