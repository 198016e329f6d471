// @ts-check
/**
 * Describes what a pull request changes in the translations, in GitHub's Markdown. Everything that comes from
 * files is escaped, because anybody may have written names, keys and values.
 */

/**
 * @typedef {{ key: string[], source: string | null, translation: string | null }} KeyDocument
 * @typedef {{ source: string, target: string, keys?: KeyDocument[] }} FileDocument
 * @typedef {{ keys: number, translated: number, missing: number, stale: number }} CoverageDocument
 * @typedef {{ language_code: string, coverage: CoverageDocument, files: FileDocument[] }} LanguageDocument
 * @typedef {{ projects: { languages: LanguageDocument[] }[] }} StatusDocument what `status --json --keys` prints
 * @typedef {{ place: string, key: string, source: string, before: string, after: string }} ChangedString
 */

/** Identifies an earlier comment. */
export const MARKER = '<!-- dragoman: translations -->';

/** GitHub refuses a comment of more than 65,536 characters. */
const MOST_CHARACTERS = 60_000;
const MOST_OF_A_TEXT = 300;

/**
 * @param {StatusDocument | undefined} before undefined if there was nothing, or it could not be read
 * @param {StatusDocument} after
 * @param {{ passed: boolean, title: string, cost?: string | undefined }} outcome
 */
export function reportOf(before, after, { passed, title, cost }) {
  const changes = changedStrings(before, after);
  const parts = [MARKER, `### ${passed ? '✅' : '❌'} ${title}`, coverageTable(before, after)];
  if (cost !== undefined) parts.push(cost);
  if (changes.length === 0) parts.push('No string changes.');
  else {
    const number = `${changes.length} ${changes.length === 1 ? 'string' : 'strings'}`;
    parts.push(`<details><summary>${number} changed</summary>`);
    parts.push(changesTable(changes, MOST_CHARACTERS - parts.join('\n\n').length), '</details>');
  }
  return `${parts.join('\n\n')}\n`;
}

/** @param {StatusDocument | undefined} before @param {StatusDocument} after */
function coverageTable(before, after) {
  const old = new Map(coverageOf(before));
  const rows = coverageOf(after).map(([language, now]) => {
    const earlier = old.get(language);
    const change = earlier ? percent(now) - percent(earlier) : percent(now);
    const sign = change > 0 ? '+' : change < 0 ? '−' : '±';
    return [cell(language), `${percent(now)} %`, `${sign}${Math.abs(change)}`, now.missing, now.stale];
  });
  return table(['language', 'done', 'change', 'missing', 'stale'], rows);
}

/** @param {StatusDocument | undefined} status @returns {[string, CoverageDocument][]} */
function coverageOf(status) {
  /** @type {Map<string, CoverageDocument>} */
  const sums = new Map();
  for (const { language_code: code, coverage } of languagesOf(status)) {
    const sum = sums.get(code) ?? { keys: 0, translated: 0, missing: 0, stale: 0 };
    sums.set(code, {
      keys: sum.keys + coverage.keys,
      translated: sum.translated + coverage.translated,
      missing: sum.missing + coverage.missing,
      stale: sum.stale + coverage.stale,
    });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** @param {CoverageDocument} coverage */
function percent({ keys, translated }) {
  return keys === 0 ? 100 : Math.floor((100 * translated) / keys);
}

/** @param {StatusDocument | undefined} status */
function languagesOf(status) {
  return (status?.projects ?? []).flatMap(({ languages }) => languages);
}

/** @param {StatusDocument | undefined} before @param {StatusDocument} after @returns {ChangedString[]} */
function changedStrings(before, after) {
  const old = stringsOf(before);
  const changes = [];
  for (const [id, string] of stringsOf(after)) {
    const earlier = old.get(id)?.after ?? '';
    old.delete(id);
    if (earlier !== string.after) changes.push({ ...string, before: earlier });
  }
  for (const string of old.values())
    if (string.after !== '') changes.push({ ...string, before: string.after, after: '' });
  return changes;
}

/** @param {StatusDocument | undefined} status */
function stringsOf(status) {
  /** @type {Map<string, ChangedString>} */
  const strings = new Map();
  for (const { language_code: code, files } of languagesOf(status)) {
    for (const { target, keys = [] } of files) {
      for (const { key, source, translation } of keys) {
        const place = `${target} (${code})`;
        const id = JSON.stringify([code, target, key]);
        // If a file has a key twice, both are kept: the second gets a separate id.
        const own = strings.has(id) ? `${id} ${strings.size}` : id;
        const name = key.filter((segment) => segment !== '').join('.');
        strings.set(own, { place, key: name, source: source ?? '', before: '', after: translation ?? '' });
      }
    }
  }
  return strings;
}

/** @param {readonly ChangedString[]} changes @param {number} room in characters */
function changesTable(changes, room) {
  const lines = ['| file | key | source | before | after |', '| --- | --- | --- | --- | --- |'];
  let length = lines.join('\n').length;
  for (const [i, { place, key, source, before, after }] of changes.entries()) {
    const line = `| ${[place, key, source, before, after].map(cell).join(' | ')} |`;
    length += line.length + 1;
    if (length > room - 100) return `${lines.join('\n')}\n\nand ${changes.length - i} more`;
    lines.push(line);
  }
  return lines.join('\n');
}

/** @param {readonly string[]} head @param {readonly (readonly (string | number)[])[]} rows */
function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * A file's text in a cell: one line, without Markdown or HTML. It is inside `<code>`, because elsewhere GitHub
 * turns words into links and mentions after rendering the Markdown.
 * @param {string} text
 */
export function cell(text) {
  if (text === '') return '';
  const characters = Array.from(text);
  const isLong = characters.length > MOST_OF_A_TEXT;
  const shown = isLong ? [...characters.slice(0, MOST_OF_A_TEXT), '…'] : characters;
  return `<code>${shown.map(escape).join('')}</code>`;
}

/**
 * Letters, digits and spaces, and punctuation without a meaning in Markdown. Marks combine with the preceding
 * character.
 */
const PLAIN = /^[\p{L}\p{M}\p{N} ,;'"%?/…–—’“”«»¿¡]$/u;

/** @param {string} character */
function escape(character) {
  if (PLAIN.test(character)) return character;
  if (character === '\n') return '↵';
  const code = character.codePointAt(0) ?? 0;
  // Control, direction and other invisible characters, and the line ends of other systems.
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(character) ? `U+${code.toString(16).padStart(4, '0')}` : `&#${code};`;
}
