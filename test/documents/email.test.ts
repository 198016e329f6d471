import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { scanEmail, type Email } from '../../src/formats/email/email.ts';
import { translateEmail } from '../../src/documents/message/translate-email.ts';
import { translateMessage, type TranslatedMessage } from '../../src/documents/message/translate-message.ts';
import { randomEmail } from '../formats/email-arbitrary.ts';
import { hasPython, leavesOf, witness, type WitnessedPart } from '../formats/email-witness.ts';
import { adversary, DAMAGES } from '../pipeline/adversary.ts';
import { runs } from '../property-runs.ts';

const root = new URL('../../fixtures/formats/eml', import.meta.url).pathname;
const fixture = (name: string, file = 'source.eml'): Buffer => readFileSync(join(root, name, file));
const fixtures = readdirSync(root).map((name) => [name] as const);

const scan = (bytes: Uint8Array | string): Email => scanEmail(Buffer.from(bytes).toString('latin1'));
const identity = adversary((text) => text);

function contextOf(engine: Engine, signal = new AbortController().signal) {
  return { engine, source: 'en', target: 'fr', signal };
}

function run(bytes: Uint8Array | string, engine: Engine): Promise<TranslatedMessage> {
  return translateMessage(scan(bytes), contextOf(engine));
}

/** Everything outside subject and texts, except for the parts that a new charset or transfer encoding changes. */
function frame({ text, subject, texts }: Email): string {
  const holes = [...texts.map(({ part }) => part.body), ...(subject ? [subject.span] : [])];
  holes.sort((a, b) => a.start - b.start);
  const starts = [0, ...holes.map(({ end }) => end)];
  return starts
    .map((start, i) => text.slice(start, holes[i]?.start))
    .join('\u0000')
    .replace(/; charset=utf-8|; ?charset=("?)[\w-]+\1/gi, '')
    .replace(
      /(?:Content-Transfer-Encoding: (?:7bit|8bit|quoted-printable)|MIME-Version: 1.0|Content-Type: text\/plain)\r?\n/gi,
      '',
    );
}

describe('fixtures', () => {
  it.each(fixtures)('%s: an engine that returns its input does not change a byte', async (name) => {
    const { bytes, failures } = await run(fixture(name), identity);
    expect(Buffer.from(bytes).equals(fixture(name))).toBe(true);
    expect(failures).toEqual([]);
  });

  it.each(fixtures)('%s: is translated as expected', async (name) => {
    const { bytes, failures } = await run(fixture(name), createPseudoEngine());
    expect(Buffer.from(bytes).toString('latin1')).toBe(fixture(name, 'pseudo.eml').toString('latin1'));
    expect(failures).toEqual([]);
  });
});

/** The parts that must be the same in a translation, as Python reads it. */
function outline(part: WitnessedPart): unknown {
  const { body: _body, text: _text, children, headers, ...rest } = part;
  const kept = headers.filter(
    ([name]) => !/^(subject|content-type|content-transfer-encoding|mime-version)$/i.test(name),
  );
  return { ...rest, headers: kept, children: children?.map(outline) };
}

describe('random messages', () => {
  it('are not changed by an engine that changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(randomEmail, async ({ bytes }) => {
        const { bytes: result, failures } = await run(bytes, identity);
        expect(failures).toEqual([]);
        expect(Buffer.from(result).equals(bytes)).toBe(true);
      }),
      { numRuns: runs(150) },
    );
  });

  it.skipIf(!hasPython)('contain the intended texts and no other new ones', async () => {
    const samples = fc.sample(randomEmail, 150);
    const results = await Promise.all(samples.map(({ bytes }) => run(bytes, createPseudoEngine())));
    const befores = witness(samples.map(({ bytes }) => bytes));
    const afters = witness(results.map(({ bytes }) => bytes));
    for (const [i, { email, failures }] of results.entries()) {
      expect(failures).toEqual([]);
      expect(frame(email)).toBe(frame(scan(samples[i]!.bytes)));
      expect(outline(afters[i]!.root)).toEqual(outline(befores[i]!.root));
      expect(afters[i]!.subject).toBe(email.subject?.value);
      expect(afters[i]!.subject).not.toBe(befores[i]!.subject);
      const wanted = email.texts.map(({ text }) => text);
      const sources = leavesOf(befores[i]!.root);
      for (const [j, leaf] of leavesOf(afters[i]!.root).entries()) {
        const file = leaf.disposition === 'attachment' || leaf.filename !== null;
        if (leaf.text === undefined || file) expect(leaf.body).toBe(sources[j]?.body);
        else expect(leaf.text).toBe(wanted.shift());
      }
      expect(wanted).toEqual([]);
    }
  });

  it('stay intact for every answer of the engine', async () => {
    const damages = fc.constantFrom(...Object.entries(DAMAGES), [
      'breaks lines',
      (text: string) => `${text}\r\nBcc: x\n\n--a0\n--a0--`,
    ] as const);
    await fc.assert(
      fc.asyncProperty(randomEmail, damages, async ({ bytes }, [, damage]) => {
        const before = scan(bytes);
        const { email, bytes: result, texts, failures } = await run(bytes, adversary(damage));
        expect(frame(email)).toBe(frame(before));
        expect(scan(result).texts).toHaveLength(before.texts.length);
        expect(failures.length).toBeLessThanOrEqual(texts);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('failures', () => {
  const failing = (word: string): Engine => ({
    ...identity,
    translate: ({ texts }) =>
      Promise.resolve(
        texts.map((text) => (text.includes(word) ? { failure: 'no idea' } : { translation: `${text}!` })),
      ),
  });

  it('keep the source and name the line, in every transfer encoding', async () => {
    const text = 'Good morning\n\nbad words here\n\nGood night\n';
    const header = 'Subject: Greeting\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: ';
    const base64 = Buffer.from(text).toString('base64').replace(/.{20}/g, '$&\n');
    const bodies = [
      ['7bit', text, 7],
      ['quoted-printable', text.replace('Good', 'Go=\nod'), 8],
      ['base64', base64, 5],
    ] as const;
    for (const [encoding, body, line] of bodies) {
      const { bytes, failures, texts } = await run(`${header}${encoding}\n\n${body}`, failing('bad'));
      expect(failures, encoding).toMatchObject([{ line, reason: 'no idea' }]);
      expect(texts).toBe(4);
      const [part] = scan(bytes).texts;
      expect(part?.text).toBe('Good morning!\n\nbad words here\n\nGood night!\n');
    }
  });

  it('in the subject name its line', async () => {
    const { bytes, failures } = await run('From: a\nSubject: bad news\n\nHello\n', failing('bad'));
    expect(failures).toEqual([{ line: 2, column: 10, reason: 'no idea' }]);
    expect(Buffer.from(bytes).toString()).toBe('From: a\nSubject: bad news\n\nHello!\n');
  });

  it('are reported for undecodable parts', async () => {
    const unknown = 'Subject: =?klingon?b?/w==?=\nContent-Transfer-Encoding: x-uuencode\n\nbegin\n';
    const { failures } = await run(unknown, identity);
    expect(failures.map(({ reason }) => reason).join()).toMatch(/x-uuencode/);
  });

  it('do not include an interruption, which rejects the call', async () => {
    const controller = new AbortController();
    controller.abort();
    const context = contextOf(createPseudoEngine(), controller.signal);
    await expect(translateMessage(scan('Subject: a\n\nb\n'), context)).rejects.toMatchObject({
      code: 'interrupted',
    });
  });
});

describe('texts', () => {
  const translated = async (
    text: string,
    type = 'text/plain; charset=utf-8',
  ): Promise<{ asked: string[]; text: string }> => {
    const engine = adversary((words) => words.replace('hello', 'bonjour'));
    const { email } = await run(`Content-Type: ${type}\nContent-Transfer-Encoding: 8bit\n\n${text}`, engine);
    return { asked: engine.asked, text: email.texts[0]?.text ?? '' };
  };

  it('wrapped paragraphs are sent as a whole and wrapped again', async () => {
    const wrapped =
      'hello to everybody who reads this long paragraph of many words\nthat goes on in the next line, and ends here.\n';
    const { asked, text } = await translated(wrapped);
    expect(asked).toEqual([wrapped.trimEnd().replace('\n', ' ')]);
    expect(text).toBe(
      'bonjour to everybody who reads this long paragraph of many\nwords that goes on in the next line, and ends here.\n',
    );
  });

  it('quotations, signatures, links and rules are never sent', async () => {
    const { asked } = await translated(
      'hello\n> quoted\n>> twice\nhttps://example.org/hello\n-----\n-- \nAnna hello\n',
    );
    expect(asked).toEqual(['hello']);
  });

  it('attached files, including signed ones, stay unchanged', async () => {
    const { asked } = await translated('hello', 'text/plain; name="a.txt"');
    expect(asked).toEqual([]);
  });

  it('keep the prefix of a reply', async () => {
    const engine = adversary((text) => `¡${text}`);
    const { email } = await run('Subject: AW: Re[2]: News\n\nx\n', engine);
    expect(engine.asked).toContain('News');
    expect(email.subject?.value).toBe('AW: Re[2]: ¡News');
  });

  it('keep charset and encoding if they can hold the translation', async () => {
    const head =
      'Subject: a\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n';
    const latin = await run(
      `${head}hello\n`,
      adversary(() => 'é'),
    );
    expect(Buffer.from(latin.bytes).toString('latin1')).toContain(`${head.slice(11)}é\n`);
    const wide = await run(
      `${head}hello\n`,
      adversary(() => '日'),
    );
    expect(Buffer.from(wide.bytes).toString('utf8')).toContain(
      'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n日\n',
    );
  });
});

describe('the subject of a message', () => {
  it('keeps the blanks in its encoded words', async () => {
    const engine = adversary((text) => text.replace('Grüße', 'Hello'));
    const { email } = await run('Subject: =?UTF-8?Q?_Gr=C3=BC=C3=9Fe__?=\n\n', engine);
    expect(email.subject?.value).toBe(' Hello  ');
  });
});

describe('subject and HTML body', () => {
  it('are translated together', async () => {
    const email = {
      subject: 'Hello',
      html: '<p class="Hello">Good <b>morning</b></p><style>p { color: red }</style>',
    };
    const result = await translateEmail(email, contextOf(createPseudoEngine()));
    expect(result).toMatchObject({
      subject: 'Ĥéļļö',
      html: '<p class="Hello">Ĝööð <b>ɱöŕñîñĝ</b></p><style>p { color: red }</style>',
      failures: [],
    });
  });

  it('a subject stays on one line', async () => {
    const engine = adversary((text) => `${text}\r\nBcc: x`);
    const { subject } = await translateEmail({ subject: 'Hello', html: '<p>x</p>' }, contextOf(engine));
    expect(subject).toBe('Hello');
  });

  it.each(['  Hello \t', 'Hello ', ' Re: Hello\u00a0', ' Fwd:  Hello'])(
    'a subject keeps its blanks: %j',
    async (subject) => {
      const engine = adversary((text) => ` ${text.replace('Hello', 'Hola')}\n`);
      const result = await translateEmail({ subject, html: '<p>x</p>' }, contextOf(engine));
      expect(result.subject).toBe(subject.replace('Hello', 'Hola'));
    },
  );

  it('have their failures reported', async () => {
    const engine: Engine = {
      ...identity,
      translate: ({ texts }) => Promise.resolve(texts.map(() => ({ failure: 'no' }))),
    };
    const email = { subject: 'Hello', html: '<p>a</p>\n<p>Good</p>' };
    const { subject, html, failures } = await translateEmail(email, contextOf(engine));
    expect({ subject, html }).toEqual(email);
    expect(failures[0]).toMatchObject({ part: 'subject', reason: 'no' });
    expect(failures.slice(1)).toMatchObject([
      { part: 'body', line: 1 },
      { part: 'body', line: 2 },
    ]);
  });
});
