import type { Engine, EngineOutcome } from '../../src/engines/engine.ts';

/** Ways in which engines damage placeholders. Each takes tagged text and returns a bad engine's answer. */
export const DAMAGES: Readonly<Record<string, (tagged: string) => string>> = {
  drop: (text) => text.replace(/<x id="\d+"\/?>|<\/x>/, ''),
  'drop all': (text) => text.replace(/<x id="\d+"\/?>|<\/x>/g, ''),
  double: (text) => text.replace(/<x id="\d+"\/>/, '$&$&'),
  renumber: (text) => text.replace(/id="(\d+)"/g, (_, id: string) => `id="${Number(id) + 1}"`),
  'rename tag': (text) => text.replace(/<x /g, '<y ').replace(/<\/x>/g, '</y>'),
  space: (text) => text.replace(/<x id="(\d+)"\/>/g, '< x id = "$1" / >').replace(/<\/x>/g, '</ x >'),
  're-case': (text) => text.replace(/<x id=/g, '<X ID=').replace(/<\/x>/g, '</X>'),
  'other quotes': (text) => text.replace(/id="(\d+)"/g, 'id=“$1”'),
  reorder: (text) =>
    text
      .split(/(<x id="\d+"\/>)/)
      .reverse()
      .join(''),
  'HTML-escape': (text) => text.replace(/</g, '&lt;').replace(/>/g, '&gt;'),
  'HTML-escape twice': (text) =>
    text.replace(/&/g, '&amp;').replace(/</g, '&amp;lt;').replace(/>/g, '&amp;gt;'),
  unclose: (text) => text.replace(/<\/x>/g, ''),
  cross: (text) => text.replace(/(<x id="\d+">)(.*?)(<\/x>)/, '$3$2$1'),
  empty: () => '',
  truncate: (text) => text.slice(0, Math.ceil(text.length / 2)),
  'add syntax': (text) => `${text} {extra} %s %@ <b> $t(key) @:key $NAME$ | &nbsp; :name`,
  'add ICU': (text) => `{k, plural, one {x} other {y}} ${text}`,
  'add apostrophes': (text) => `l'${text}' d'`,
  'add braces': (text) => `{${text}}`,
  'add percent': (text) => `100% ${text} %`,
  'add tag text': (text) => `${text}&lt;b&gt;bold&lt;/b&gt;`,
  control: (text) => `\u0000\u001b[31m${text}`,
  'lone surrogate': (text) => `${text}\ud83d`,
};

/** An engine that answers every text with its own text, damaged. */
export function adversary(damage: (tagged: string) => string): Engine & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    id: 'adversary',
    asked,
    status: () => Promise.resolve({ id: 'adversary', ready: true, detail: 'a test', pairs: 'any' }),
    supports: () => Promise.resolve(true),
    translate: ({ texts }): Promise<readonly EngineOutcome[]> => {
      asked.push(...texts);
      return Promise.resolve(texts.map((text) => ({ translation: damage(text) })));
    },
    close: () => Promise.resolve(),
  };
}
