import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { po } from '../../src/formats/po/format.ts';
import { render } from '../../src/formats/render.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import { parseMessage } from '../../src/text/message.ts';
import { reconcile } from '../../src/text/reconcile.ts';
import { verify } from '../../src/text/verify.ts';

const hasMsgfmt = spawnSync('msgfmt', ['--version']).status === 0;

/** Directives of each language that msgfmt 0.21 checks, and the notation of a literal sign. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  c: ['%s', '%d', '%5.1f', '%lu', '%-8s', '%%', '% d', '%*d', '%<PRIu64>'],
  objc: ['%@', '%d', '%s', '%%'],
  python: ['%s', '%d', '%r', '%5.1f', '%%'],
  // `{}` is unknown to msgfmt 0.21.
  'python-brace': ['{0}', '{name}', '{a.b}', '{{', '}}'],
  'java-printf': ['%s', '%d', '%,d', '%n', '%%', '%tY'],
  csharp: ['{0}', '{1}', '{0,10:N2}', '{{', '}}'],
  java: ['{0}', '{1,number}', '{2}'],
  javascript: ['%s', '%d', '%j', '%x', '%%'],
  scheme: ['~a', '~s', "~5,'0d", '~%', '~~', '~d'],
  lisp: ['~a', '~D', '~{~a~^, ~}', '~:[no~;yes~]', '~%', '~~', '~:p', '~@r', '~(~a~)', '~*'],
  elisp: ['%s', '%d', '%S', '%c', '%%'],
  librep: ['%s', '%d', '%S', '%%'],
  ruby: ['%s', '%d', '%x', '%%'],
  sh: ['$name', '${dir}', '$a_b'],
  awk: ['%s', '%d', '%c', '%5.1f', '%%'],
  lua: ['%s', '%d', '%q', '%5.1f', '%%'],
  'object-pascal': ['%s', '%d', '%5.1f', '%m', '%%'],
  smalltalk: ['%1', '%2', '%3', '%%'],
  qt: ['%1', '%L2', '%3', '%'],
  'qt-plural': ['%n', '%Ln'],
  kde: ['%1', '%2', '%3', '%'],
  'kde-kuit': ['%1', '%2', '<b>%3</b>', '&amp;'],
  boost: ['%1%', '%2%', '%%'],
  tcl: ['%s', '%d', '%ld', '%c', '%%'],
  perl: ['%s', '%d', '%vd', '%-5s', '%%'],
  'perl-brace': ['{name}', '{count}', '{'],
  php: ['%s', '%d', "%'*10s", '%05.1f', '%%'],
  'gcc-internal': ['%s', '%d', '%qs', '%qD', '%<', '%>', "%'", '%T', '%%', '%wd'],
  'gfc-internal': ['%s', '%d', '%C', '%L', '%%'],
  ycp: ['%1', '%2', '%3', '%%'],
};

const HEADER = 'msgid ""\nmsgstr "Language: fr\\nContent-Type: text/plain; charset=UTF-8\\n"\n';

describe.skipIf(!hasMsgfmt)('format strings by their flags', () => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'dragoman-flags-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** The messages of `msgfmt -c` about a catalogue, line by line. */
  const complaints = (text: string): readonly string[] => {
    const path = join(directory, 'a.po');
    writeFileSync(path, text);
    const { stderr } = spawnSync('msgfmt', ['-c', '-o', join(directory, 'a.mo'), path], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
    });
    return stderr.split('\n').filter((line) => /:\d+: (?!warning)/.test(line));
  };
  const catalog = (language: string, pairs: readonly (readonly [string, string])[]): string =>
    HEADER +
    pairs
      .map(
        ([id, text], i) =>
          // Equal texts are one message unless their contexts differ.
          `\n#, ${language}-format\nmsgctxt "${i}"\nmsgid ${JSON.stringify(id)}\nmsgstr ${JSON.stringify(text)}\n`,
      )
      .join('');
  /** The pairs that msgfmt refuses, by index. */
  const refused = (language: string, pairs: readonly (readonly [string, string])[]): ReadonlySet<number> => {
    const text = catalog(language, pairs);
    const lines = text.split('\n');
    return new Set(
      complaints(text).map((complaint) => {
        let line = Number(/:(\d+): /.exec(complaint)?.[1]);
        while (!lines[line - 1]?.startsWith('msgctxt')) line--;
        return Number(/\d+/.exec(lines[line - 1] ?? '')?.[0]);
      }),
    );
  };
  const syntaxFor = (language: string) => {
    const [slot] = po.scan(catalog(language, [['a', '']])).slots;
    return slot?.syntax ?? 'plain';
  };

  describe.each(Object.entries(LANGUAGES))('a %s-format string', (language, directives) => {
    const syntax = syntaxFor(language);
    const texts = fc
      .array(
        fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...directives) },
          fc.constantFrom('one', 'two', 'of it', '50', '.'),
        ),
        { minLength: 1, maxLength: 6 },
      )
      .map((parts) => ['Take', ...parts]);

    const junk = fc.constantFrom(
      ...['%', '5 % de', '$', '~', '{', '}', '<', '<b>', '&', '%1$s', '{x}'].map((one) => ['', one]),
    );

    it('has no directive that is plain text', () => {
      for (const directive of directives.filter((one) => !/^[%{]$/.test(one))) {
        const segments = parseMessage(`Take ${directive} out`, syntax).segments('fr');
        expect(segments.join(' '), directive).toContain('<x id="1"');
      }
    });

    it('is accepted by msgfmt after translation', async () => {
      const sources = fc.sample(texts, { numRuns: 150, seed: 7 }).map((parts) => parts.join(' '));
      const document = po.scan(
        catalog(
          language,
          sources.map((source) => [source, '']),
        ),
      );
      const outcomes = await translateUnits(
        document.slots.map(({ source = '', syntax }) => ({ value: source, syntax })),
        {
          engine: createPseudoEngine(),
          source: 'en',
          target: 'fr',
          signal: new AbortController().signal,
        },
      );
      const values = new Map(
        outcomes.flatMap((outcome, i) => ('value' in outcome ? [[i, outcome.value]] : [])),
      );
      expect([...outcomes.entries()].filter(([, outcome]) => 'failure' in outcome)).toEqual([]);
      expect(complaints(render(po, document, values).document.text)).toEqual([]);
    });

    it('is refused wherever msgfmt refuses it', () => {
      const pairs = fc
        .sample(fc.tuple(texts, fc.oneof(texts, junk), fc.nat(3), fc.nat(5), fc.nat(5)), {
          numRuns: 400,
          seed: 11,
        })
        .map(([parts, others, kind, i, j]): [string, string] => {
          const damaged = [...parts];
          const [at, to] = [1 + (i % (parts.length - 1)), 1 + (j % (parts.length - 1))];
          if (kind === 0) damaged.splice(at, 1);
          else if (kind === 1) damaged.splice(at, 0, others[to] ?? 'x');
          else if (kind === 2) damaged[at] = others[to] ?? others[1] ?? 'x';
          else [damaged[at], damaged[to]] = [damaged[to] ?? '', damaged[at] ?? ''];
          return [parts.join(' '), damaged.join(' ')];
        });
      const bad = refused(language, pairs);
      expect(bad.size).toBeGreaterThan(30);
      const wrong = pairs.filter(
        ([source, target], i) => bad.has(i) && verify(source, target, { syntax, locale: 'fr' }).length === 0,
      );
      expect(wrong).toEqual([]);
    });

    it('is accepted by msgfmt with reordered placeholders', () => {
      const sources = fc.sample(texts, { numRuns: 150, seed: 3 }).map((parts) => parts.join(' '));
      const pairs = sources.flatMap((source): [string, string][] => {
        const message = parseMessage(source, syntax);
        const [segment] = message.segments('fr');
        if (segment === undefined || /<\/x>/.test(segment)) return [];
        const answer = segment
          .split(/(<x id="\d+"\/>)/)
          .reverse()
          .join('');
        const result = reconcile(segment, answer);
        if (!result.ok) return [];
        const target = message.assemble('fr', [result.tagged]);
        return verify(source, target, { syntax, locale: 'fr' }).length === 0 ? [[source, target]] : [];
      });
      expect([...refused(language, pairs)].map((i) => pairs[i])).toEqual([]);
    });

    it('is refused if a directive is lost', () => {
      for (const directive of directives.filter((one) => !/^(?:%%|~~|\{\{|\}\}|[%{])$/.test(one))) {
        const problems = verify(`Take ${directive} out`, 'Take out', { syntax, locale: 'fr' });
        expect(problems, directive).not.toEqual([]);
      }
    });
  });
});
