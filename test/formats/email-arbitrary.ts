import * as fc from 'fast-check';

/** A random message: its bytes and its content. */
export interface RandomEmail {
  readonly bytes: Buffer;
  readonly subject: string;
  /** Texts to translate, in order. */
  readonly texts: readonly { readonly kind: 'plain' | 'html'; readonly text: string }[];
}

type Leaf = {
  readonly lines: readonly string[];
  readonly body: Buffer;
  readonly text?: { readonly kind: 'plain' | 'html'; readonly text: string };
};

interface Node {
  readonly subtype?: string;
  readonly boundary?: string;
  readonly preamble?: string;
  readonly epilogue?: string;
  readonly children?: readonly Node[];
  readonly leaf?: Leaf;
}

const WORDS = [
  'Hello',
  'Grüße',
  'to all',
  'friends of',
  'Москва',
  '日本語の文',
  '👋',
  '— ok',
  '{name}',
  'a=b',
  '--x',
  'it’s',
];
const ASCII_WORDS = WORDS.filter((word) => !/[^ -~]/.test(word));

const sentence = (words: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 14 })
    .map((parts) => `Say ${parts.join(' ')}`);

const plainText = (words: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        sentence(words),
        fc.constantFrom('', '> quoted words', '- ', '--ab', '  - item of a list', 'From here'),
      ),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((lines) => lines.join('\n'));

const htmlText = (words: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(sentence(words), { minLength: 1, maxLength: 4 })
    .map((lines) => lines.map((line) => `<p class="x">${line}<br><b>bold</b> &amp; more</p>`).join('\n'));

function quoted(bytes: Buffer, lineBreak: string): string {
  return bytes
    .toString('latin1')
    .split('\n')
    .map((line) =>
      line.replace(
        /[^ -<>-~]|[ \t]$/g,
        (c) => `=${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
      ),
    )
    .map((line) => line.match(/.{1,70}(?<!=.?)/g)?.join(`=${lineBreak}`) ?? '')
    .join(lineBreak);
}

const textLeaf = fc
  .record({
    kind: fc.constantFrom('plain' as const, 'html' as const),
    style: fc.constantFrom('ascii', '8bit', 'qp', 'base64'),
    crlf: fc.boolean(),
    extra: fc.constantFrom('', 'Content-Disposition: inline', 'X-Other: kept; charset=none'),
  })
  .chain(({ kind, style, extra }) => {
    const words = style === 'ascii' ? ASCII_WORDS : WORDS;
    return (kind === 'html' ? htmlText(words) : plainText(words)).map((text) => ({
      kind,
      style,
      extra,
      text,
    }));
  });

function toLeaf(
  { kind, style, extra, text }: { kind: 'plain' | 'html'; style: string; extra: string; text: string },
  lineBreak: string,
): Leaf {
  const charset = style === 'ascii' ? 'us-ascii' : 'utf-8';
  const lines = [`Content-Type: text/${kind}; charset=${charset}`, ...(extra === '' ? [] : [extra])];
  const native = text.replaceAll('\n', style === 'base64' ? '\n' : lineBreak);
  const bytes = Buffer.from(native);
  if (style === 'qp') {
    return {
      lines: [...lines, 'Content-Transfer-Encoding: quoted-printable'],
      body: Buffer.from(quoted(Buffer.from(text), lineBreak), 'latin1'),
      text: { kind, text: native },
    };
  }
  if (style === 'base64') {
    const data = bytes.toString('base64').replace(/.{60}/g, `$&${lineBreak}`);
    return {
      lines: ['Content-Transfer-Encoding: base64', ...lines],
      body: Buffer.from(data),
      text: { kind, text },
    };
  }
  return {
    lines: style === '8bit' ? [...lines, 'Content-Transfer-Encoding: 8bit'] : lines,
    body: bytes,
    text: { kind, text: native },
  };
}

const otherLeaf = fc
  .tuple(
    fc.constantFrom(
      ['Content-Type: image/png', 'Content-Transfer-Encoding: base64', 'Content-ID: <a@b>'],
      ['Content-Type: text/plain', 'Content-Disposition: attachment; filename="a.txt"'],
      ['Content-Type: text/html; name=page.html'],
      ['Content-Type: message/rfc822'],
      ['Content-Type: application/octet-stream', 'Content-Transfer-Encoding: 8bit'],
    ),
    fc.base64String({ maxLength: 120 }),
  )
  .map(([lines, data]): Leaf => ({
    lines,
    body: Buffer.from(lines[0]?.includes('rfc822') ? `Subject: in\n\n${data}` : data),
  }));

const node = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ text: textLeaf }).map(({ text }) => ({ leaf: text as unknown as Leaf })),
    otherLeaf.map((leaf) => ({ leaf })),
    fc.record({
      subtype: fc.constantFrom('mixed', 'alternative', 'related', 'report'),
      boundary: fc.constantFrom('a', 'ab', '=_x', 'b b', "q'()+_,-./:=?"),
      preamble: fc.constantFrom('', 'a preamble\n', '--not\n'),
      epilogue: fc.constantFrom('', '\nan epilogue', '\n'),
      children: fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
    }),
  ),
})).node;

let counter = 0;

function write(
  part: Node,
  lineBreak: string,
  texts: RandomEmail['texts'][number][],
): { lines: readonly string[]; body: Buffer } {
  if (part.leaf) {
    const leaf = 'style' in part.leaf ? toLeaf(part.leaf as never, lineBreak) : part.leaf;
    if (leaf.text) texts.push(leaf.text);
    return 'style' in part.leaf
      ? leaf
      : {
          lines: leaf.lines,
          body: Buffer.from(leaf.body.toString('latin1').replaceAll('\n', lineBreak), 'latin1'),
        };
  }
  const boundary = `${part.boundary}${counter++}`;
  const native = (text = ''): Buffer => Buffer.from(text.replaceAll('\n', lineBreak));
  const chunks: Buffer[] = [native(part.preamble)];
  for (const child of part.children ?? []) {
    const { lines, body } = write(child, lineBreak, texts);
    chunks.push(
      native(`--${boundary}\n${lines.join('\n')}${lines.length > 0 ? '\n' : ''}\n`),
      body,
      native('\n'),
    );
  }
  chunks.push(native(`--${boundary}--${part.epilogue ?? ''}`));
  return {
    lines: [`Content-Type: multipart/${part.subtype};\n boundary="${boundary}"`],
    body: Buffer.concat(chunks),
  };
}

function encodedSubject(subject: string, style: number, lineBreak: string): string {
  if (!/[^ -~]/.test(subject)) return subject;
  const words = subject.match(/.{1,8}/gu) ?? [];
  return words
    .map((word) => {
      const bytes = Buffer.from(word);
      const hex = [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
      return style === 0 ? `=?UTF-8?B?${bytes.toString('base64')}?=` : `=?utf-8?q?${hex}?=`;
    })
    .join(`${lineBreak}\t`);
}

/** Messages of random structure, transfer encodings, charsets, line breaks and subjects. */
export const randomEmail: fc.Arbitrary<RandomEmail> = fc
  .record({
    root: node,
    subject: sentence(WORDS),
    lineBreak: fc.constantFrom('\r\n', '\n'),
    style: fc.constantFrom(0, 1),
    end: fc.constantFrom('', '\n'),
  })
  .map(({ root, subject, lineBreak, style, end }) => {
    counter = 0;
    const texts: RandomEmail['texts'][number][] = [];
    const { lines, body } = write(root, lineBreak, texts);
    const header = [
      'From: Anna <anna@example.org>',
      'Received: from a by b;',
      '\tMon, 2 Jun 2025 10:00:00 +0200',
      `Subject: ${encodedSubject(subject, style, lineBreak)}`,
      'X-Word: =?utf-8?q?=C3=BC?= kept',
      'MIME-Version: 1.0',
      ...lines.map((line) => line.replaceAll('\n', lineBreak)),
      '',
      '',
    ].join(lineBreak);
    const isLeaf = root.leaf !== undefined;
    const tail = isLeaf ? '' : end.replaceAll('\n', lineBreak);
    return { bytes: Buffer.concat([Buffer.from(header), body, Buffer.from(tail)]), subject, texts };
  });
