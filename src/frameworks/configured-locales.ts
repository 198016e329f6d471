/** Lines of a program that are comments, such as an example of other settings. */
export const COMMENTS = /^[ \t]*(?:\/\/.*|\/\*[^]*?(?:\*\/|(?![^])))/gm;

/** `locales: {`, also as a variable of the program, with or without a type. */
const BEGINNING = /\blocales['"]?\s*(?::[^{}=;]{0,200}=|[:=])\s*\{/g;

/** Strings, comments and brackets; without an end, they extend to the end of the line or program. */
const TOKEN =
  /'(?:[^'\\\n]|\\[^])*'?|"(?:[^"\\\n]|\\[^])*"?|`(?:[^`\\]|\\[^])*`?|\/\/.*|\/\*[^]*?(?:\*\/|(?![^]))|[()[\]{}]/g;

/** The longest name of a language, with the spaces around it. */
const MAX_NAME = 200;

/**
 * The languages in the `locales` settings of a program: their names without slashes, each with the text of its
 * properties, excluding nested ones. Undefined without the setting.
 */
export function readLocales(text: string): ReadonlyMap<string, string> | undefined {
  const program = text.replaceAll(COMMENTS, '');
  const locales = new Map<string, string>();
  let end = -1;
  for (const { 0: beginning, index } of program.matchAll(BEGINNING)) {
    const open = index + beginning.length - 1;
    if (open > end) end = open + readObject(program.slice(open), locales);
  }
  return end < 0 ? undefined : locales;
}

/** Adds the properties that are objects to the locales; returns the length of the object at the beginning of the text. */
function readObject(text: string, locales: Map<string, string>): number {
  const own = ['', '', ''];
  let [depth, from] = [0, 0];
  let name: string | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (depth < own.length) own[depth] += text.slice(from, index);
    from = index + token.length;
    if ('([{'.includes(token)) {
      depth++;
      if (depth !== 2) continue;
      const key = /([\w/-]+)['"]?\s*:\s*$/.exec((own[1] ?? '').slice(-MAX_NAME))?.[1];
      name = token === '{' ? key?.replaceAll('/', '') : undefined;
      own.fill('');
    } else if (')]}'.includes(token)) {
      if (depth === 2 && name !== undefined) locales.set(name, (locales.get(name) ?? '') + own[2]);
      depth--;
      if (depth === 0) return from;
    } else if (depth < own.length && !token.startsWith('/')) own[depth] += token;
  }
  return text.length;
}
