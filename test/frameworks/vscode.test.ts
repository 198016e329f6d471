import { expect, it } from 'vitest';
import { ProjectDirectory, RecordingEngine } from '../project/project-directory.ts';

it('code in backticks is kept only in texts that VS Code shows as Markdown', async () => {
  const project = new ProjectDirectory();
  project.json('package.json', { devDependencies: { '@types/vscode': '1' } });
  project.json('package.nls.json', {
    mode: 'Choose `off` or ``a `b` c``, see `#editor.mode#`. A lone ` stays.',
    plain: 'Run `npm test` now',
  });
  project.json('l10n/bundle.l10n.json', { said: 'It is `here`' });
  const engine = new RecordingEngine();
  await project.sync(engine, { source: 'en', targets: ['de'] });
  const texts = engine.texts.join('\n');
  for (const code of ['off', 'a `b` c', 'editor.mode', 'npm test']) expect(texts).not.toContain(code);
  expect(texts).toContain('`here`');
  expect(project.readJson('package.nls.de.json')).toEqual({
    mode: 'de:Choose `off` or ``a `b` c``, see `#editor.mode#`. A lone ` stays.',
    plain: 'de:Run `npm test` now',
  });
  expect(project.readJson('l10n/bundle.l10n.de.json')).toEqual({ said: 'de:It is `here`' });
});
