import fc from 'fast-check';

/** Few words, so that texts share some: in several scripts and forms, with punctuation and placeholders between. */
const WORDS = [
  'the',
  'file',
  'files',
  'Open',
  'open',
  'opened',
  'Delete',
  'configuration',
  'configure',
  'a',
  'not',
  '12',
  '7',
  '3D',
  'naïve',
  'naive',
  'Datei',
  'Dateien',
  'файл',
  'файлы',
  '파일을',
  '파일이',
  'قائمة',
  '删',
  '除',
  '文',
  '件',
  'ファ',
  'イル',
  'ไฟล์',
  '𝐀𝐁𝐂',
  '😀',
  "don't",
  'don’t',
  '&amp;',
  '&lt;',
  '…',
  '.',
  '!',
  '-',
  '%',
  '\u001f2',
  '\u0001',
];

const word = fc.constantFrom(...WORDS);
const part = fc.oneof(
  { weight: 8, arbitrary: word },
  { weight: 1, arbitrary: fc.constantFrom('PLACEHOLDER', 'OPEN', 'CLOSE') },
);

/** Adds ids to placeholders, and pairs unpaired sides. */
function tagged(parts: readonly string[], separator: string): string {
  let id = 0;
  let open = 0;
  const written = parts.map((piece) => {
    if (piece === 'PLACEHOLDER') return `<x id="${++id}"/>`;
    if (piece === 'OPEN') {
      open++;
      return `<x id="${++id}">`;
    }
    if (piece !== 'CLOSE') return piece;
    if (open === 0) return '';
    open--;
    return '</x>';
  });
  return written.join(separator) + '</x>'.repeat(open);
}

const separator = fc.constantFrom(' ', ' ', ' ', '', '  ');
const parts = fc.array(part, { maxLength: 14 });

/** Any well-formed tagged text of these words. */
export const anyText = fc.tuple(parts, separator).map(([list, between]) => tagged(list, between));

const edit = fc.tuple(fc.nat(20), fc.constantFrom('put in', 'leave out', 'replace', 'turn'), part);

/** Two texts, the second of which is the first with a few changes. */
export const likeTexts: fc.Arbitrary<readonly [string, string]> = fc
  .tuple(parts, fc.array(edit, { maxLength: 3 }), separator, separator)
  .map(([list, edits, one, other]) => {
    let changed: readonly string[] = list;
    for (const [place, kind, piece] of edits) {
      const at = place % (changed.length + 1);
      if (kind === 'put in') changed = changed.toSpliced(at, 0, piece);
      else if (kind === 'leave out') changed = changed.toSpliced(at, 1);
      else if (kind === 'replace') changed = changed.toSpliced(at, 1, piece);
      else changed = [...changed.slice(at), ...changed.slice(0, at)];
    }
    return [tagged(list, one), tagged(changed, other)] as const;
  });
