import { describeAs } from '../description.ts';

/** Code that precedes a module's texts, and the statement that makes a file a module. */
const EXPORT =
  /\bexport\s+default\b|\bexport\s*=|\bmodule\s*\.\s*exports\s*=|\bexport\s+const\s+[\w$]+\s*(?::[^={}();]{1,200})?=\s*(?:[\w$.]+\(\s*)?\{/;
const TEXT = /[:[(,=]\s*["'`][^"'`]/;

/** Output of Lingui's compiler. */
const COMPILED =
  /^\/\*\s?eslint-disable\s?\*\/\s*(?:import type\{Messages\}from"@lingui\/core";)?(?:module\.exports=\{"?messages"?:|export const messages=)/;

export const module = describeAs({
  id: 'module',
  title: 'JS/TS module',
  extensions: ['ts', 'js', 'mjs', 'cjs'],
  // Qt's files with this extension are XML.
  recognizes: (head) => !/^\s*</.test(head),
  mediaType: 'text/javascript',
  localeStyle: 'bcp47',
  isCode: true,
  hasTexts: (text) => !COMPILED.test(text) && EXPORT.test(text) && TEXT.test(text),
  textsStandIn: 'an object or array literal that is its default or only export',
  load: async () => (await import('./format.ts')).module,
});
