import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';

/** The findings of `lint` in a project of these files. */
async function findingsIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const root = temporaryDirectory();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { stdout } = await dragoman(['lint', root]);
  return stdout.match(/(?:error|warning): .*/g) ?? [];
}

it('Yii passes only messages with formats to intl, where apostrophes quote', async () => {
  const messages = [
    `'Hello, {name}' => 'Bonjour',`,
    `'The name {name}' => 'Le nom d\\'{name}',`,
    `'On {0, date, short}' => 'Le {0, jour, court}',`,
    `'{n, plural, one{# item} other{# items}}' => '{n, plural, one{# article} other{# articles}}',`,
  ];
  const findings = await findingsIn({
    'composer.json': '{ "require": { "yiisoft/yii2": "~2.0" } }',
    'messages/fr/app.php': `<?php\nreturn [\n    ${messages.join('\n    ')}\n];\n`,
  });
  expect(findings).toEqual([
    expect.stringMatching(/^error: placeholder-mismatch: \{name\} is missing .*Hello/),
    expect.stringMatching(/^error: icu-syntax: /),
  ]);
});

it('in Vue, a gettext argument that the translation lacks is an error', async () => {
  const header = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n';
  const findings = await findingsIn({
    'app/package.json': '{ "dependencies": { "vue3-gettext": "4.0.1" } }',
    'app/src/language/LINGUAS': 'de\n',
    'app/src/language/messages.pot': 'msgid ""\nmsgstr ""\n\nmsgid "Delete %{name}"\nmsgstr ""\n',
    'app/src/language/de.po': `${header}msgid "Delete %{name}"\nmsgstr "%{Name} löschen"\n`,
  });
  expect(findings).toEqual([expect.stringMatching(/^error: placeholder-mismatch: %\{name\} is missing/)]);
});

it('Symfony replaces names of any length between percent signs', async () => {
  const findings = await findingsIn({
    'composer.json': '{ "require": { "symfony/translation": "^7.0" } }',
    'translations/messages.en.yaml':
      "a: 'User %u% joined'\nb: 'From %ip%'\nc: 'On %d% at %t%'\nd: '{0}No file|{1}%n% file|]1,Inf[ %n% files'\n",
    'translations/messages.de.yaml':
      "a: 'Benutzer %u ist da'\nb: 'Von % ip%'\nc: 'Um %t% am %d%'\nd: '{0}Keine Datei|{1}%n% Datei|]1,Inf[ %n% Dateien'\n",
  });
  expect(findings).toEqual([
    expect.stringMatching(/^error: placeholder-mismatch: %u% is missing.* \(a\)/),
    expect.stringMatching(/^error: placeholder-mismatch: %ip% is missing.* \(b\)/),
  ]);
});

it('a finding names a renamed Symfony placeholder as the translation writes it', async () => {
  const findings = await findingsIn({
    'composer.json': '{ "require": { "symfony/translation": "^7.0" } }',
    'translations/messages.en.yaml':
      "a: 'Results for %query% here'\nb: '{0}No %thing%|]1,Inf[ %count% %thing%'\n",
    'translations/messages.da.yaml':
      "a: 'Resultater for %søgeord% her'\nb: '{0}Ingen %sætning%|]1,Inf[ %count% %sætning%'\n",
  });
  expect(findings).toEqual([
    expect.stringMatching(
      /^error: placeholder-mismatch: %query% is missing; %søgeord% is not in the source \(a\)/,
    ),
    expect.stringMatching(/^error: placeholder-mismatch: .*%sætning% is not in the source.* \(b\)/),
  ]);
});
