import { FluentResource } from '@fluent/bundle';
import { refusal, type Entry, type Reader, type Reading } from './reader.ts';

type RuntimePattern = FluentResource['body'][number]['value'];
type Piece = Exclude<RuntimePattern, string | null>[number];

/**
 * The parser with which programs load Fluent. Placeables are written as JSON, so that their spelling does not matter.
 */
export const fluentBundle: Reader = {
  name: '@fluent/bundle',
  lastWins: true,
  missing: () => undefined,
  read: (files) =>
    files.map(({ bytes, fragments }): Reading => {
      try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        const { body } = new FluentResource(text);
        const begun = text.match(/^-?[A-Za-z][\w-]* *=/gm)?.length ?? 0;
        // The parser itself reports no errors: it skips what it cannot parse.
        if (body.length < begun) return { refused: `${begun - body.length} messages cannot be read` };
        return { entries: entriesOf(body), fragments: (fragments ?? []).map(notationOf) };
      } catch (error) {
        return refusal(error);
      }
    }),
};

function entriesOf(body: FluentResource['body']): Entry[] {
  return body.flatMap(({ id, value, attributes }) => {
    const own = leaves(value, [id]);
    const named = Object.entries(attributes).flatMap(([name, pattern]) => leaves(pattern, [id, `.${name}`]));
    const all = [...own, ...named];
    return id.startsWith('-') ? all.map((entry) => ({ ...entry, kind: 'term' })) : all;
  });
}

/** A value as it would be read in a file. */
function notationOf(value: string): string {
  const [message] = new FluentResource(`k =\n    { "" }${value.replaceAll('\n', '\n    ')}{ "" }\n`).body;
  const written = leaves(message?.value ?? null, []).map((entry) => entry.value);
  const edge = JSON.stringify({ type: 'str', value: '' });
  return written.join('').slice(edge.length, -edge.length);
}

/** The texts of a pattern, with selections split into their variants. */
function leaves(pattern: RuntimePattern, key: readonly string[]): Entry[] {
  if (pattern === null) return [];
  const pieces: readonly Piece[] = typeof pattern === 'string' ? [pattern] : pattern;
  const entries: Entry[] = [];
  const isWhole = !pieces.some((piece) => typeof piece === 'object' && piece.type === 'select');
  let run: Piece[] = [];
  const close = (): void => {
    if (run.length > 0) entries.push({ key, ...written(run, isWhole) });
    run = [];
  };
  for (const piece of pieces) {
    if (typeof piece === 'string' || piece.type !== 'select') run.push(piece);
    else {
      close();
      for (const variant of piece.variants) entries.push(...leaves(variant.value, key));
    }
  }
  close();
  return entries;
}

function written(run: readonly Piece[], isWhole: boolean): { readonly value: string; readonly kind: string } {
  const value = run.map((piece) => (typeof piece === 'string' ? piece : JSON.stringify(piece))).join('');
  const hasText = run.some((piece) => typeof piece === 'string');
  const hasBraces = run.some(
    (piece) =>
      typeof piece !== 'string' &&
      piece.type !== 'str' &&
      /"type":"str","value":"[^"]*[{}]/.test(JSON.stringify(piece)),
  );
  const isText = hasText && !hasBraces && (isWhole || !value.includes('\n'));
  return { value, kind: isText ? 'text' : 'code' };
}
