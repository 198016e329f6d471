import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import type { Engine } from '../../src/engines/engine.ts';
import type { SegmentEntry, Unit } from '../../src/pipeline/unit.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import type { Syntax } from '../../src/text/syntax.ts';
import { adversary, DAMAGES } from './adversary.ts';

interface Sample extends Unit {
  /** The parts of a value that every translation must contain as often as the value. */
  readonly syntaxParts: readonly string[];
}

const sample = (syntax: Syntax, value: string, ...syntaxParts: string[]): Sample => ({
  syntax,
  value,
  syntaxParts,
});

const SAMPLES: readonly Sample[] = [
  sample(
    'plain',
    'Hello {name}, see https://example.org/a?b=c or write a@example.org',
    '{name}',
    'https://example.org/a?b=c',
    'a@example.org',
  ),
  sample(
    'plain',
    'You have <b>{{count}}</b> new &amp; ${other.thing} items',
    '<b>',
    '</b>',
    '{{count}}',
    '&amp;',
    '${other.thing}',
  ),
  sample('plain', 'Files: %1$s of %(total)d, done %%', '%1$s', '%(total)d'),
  sample(
    'icu',
    'You have {n, plural, one {# file} other {# files}} in {folder}',
    '{folder}',
    '{n, plural, ',
    ' other {',
  ),
  sample(
    'icu',
    "It''s {gender, select, male {his} female {her} other {their}} turn",
    'male {',
    'female {',
    'other {',
  ),
  sample('icu', 'Read <link>the {what}</link> now', '<link>', '</link>', '{what}'),
  sample(
    'i18next',
    '{{count}} items in $t(basket, {"a": "{{b}}"})',
    '{{count}}',
    '$t(basket, {"a": "{{b}}"})',
  ),
  sample('vue', 'Hello @:user.name | Goodbye {name}', '@:user.name', ' | ', '{name}'),
  sample('chrome', 'Hi $USER$, pay $$5 to $1', '$USER$', '$1'),
  sample('ruby', '%{count} tomatoes from %<place>s', '%{count}', '%<place>s'),
  sample('laravel', 'Welcome :name at 12:30', ':name'),
  sample('c', 'Cannot open %s: error %d of %5.2f\n', '%s', '%d', '%5.2f', '\n'),
  sample('python-brace', 'Hi {user!r:>10} {{literal}}', '{user!r:>10}'),
  sample('java', "Don''t delete {0} of {1,number,integer}", '{0}', '{1,number,integer}'),
  sample('apple', '%1$@ sent %2$lld photos to %@', '%1$@', '%2$lld', '%@'),
  sample('android', 'Downloading %1$s (%2$d%%) <b>now</b>', '%1$s', '%2$d', '<b>', '</b>'),
  sample(
    'markup',
    'Hello <xliff:g id="a">%1$s</xliff:g> &lt; <b>you</b>',
    '<xliff:g id="a">%1$s</xliff:g>',
    '<b>',
    '</b>',
  ),
];

const context = (engine: Engine) => ({
  engine,
  source: 'en',
  target: 'de',
  signal: new AbortController().signal,
});
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('translateUnits', () => {
  describe.each(Object.entries(DAMAGES))('with an engine that will %s', (_, damage) => {
    it.each(SAMPLES.map((each) => [each.syntax, each.value, each] as const))(
      '%s: %s',
      async (_syntax, _value, unit) => {
        const [outcome] = await translateUnits([unit], context(adversary(damage)));
        if (!outcome || 'failure' in outcome) {
          expect(outcome?.failure).toBeTruthy();
          return;
        }
        for (const part of unit.syntaxParts)
          expect(count(outcome.value, part), outcome.value).toBe(count(unit.value, part));
        expect(outcome.value.isWellFormed()).toBe(true);
      },
    );
  });

  it('returns the unchanged answers of an engine', async () => {
    const engine = adversary((text) => text);
    const outcomes = await translateUnits(SAMPLES, { ...context(engine), target: 'en' });
    expect(outcomes.map((outcome) => ('value' in outcome ? outcome.value : outcome.failure))).toEqual(
      SAMPLES.map((unit) => unit.value),
    );
  });

  it('never shows syntax to engines', async () => {
    const engine = adversary((text) => text);
    await translateUnits(SAMPLES, context(engine));
    const shown = engine.asked.map((text) => text.replace(/<x id="\d+"\/?>|<\/x>/g, '')).join('\n');
    for (const part of ['{', '%s', '%@', '$t(', '@:', '$USER$', 'https:', '<b>', 'plural'])
      expect(shown).not.toContain(part);
  });

  it('sends equal texts once', async () => {
    const engine = adversary((text) => text);
    await translateUnits([...SAMPLES, ...SAMPLES], context(engine));
    expect(new Set(engine.asked).size).toBe(engine.asked.length);
  });

  it('reads the memory first, and stores verified translations', async () => {
    const stored: SegmentEntry[] = [];
    const journal = {
      get: (_engine: string, _source: string, _target: string, tagged: string) =>
        tagged === 'One' ? 'Eins' : undefined,
      put: (entries: readonly SegmentEntry[]) => Promise.resolve(void stored.push(...entries)),
    };
    const engine = adversary((text) => (text.includes('<x') ? '' : text.toUpperCase()));
    const units = ['One', 'Two', '{x} broken'].map((value): Unit => ({ value, syntax: 'plain' }));
    const outcomes = await translateUnits(units, { ...context(engine), journal });
    expect(outcomes.slice(0, 2)).toEqual([
      { value: 'Eins', engine: 'adversary' },
      { value: 'TWO', engine: 'adversary' },
    ]);
    expect(engine.asked).not.toContain('One');
    expect(stored.map(({ tagged }) => tagged)).toContain('Two');
  });

  it('fails only the value whose source is malformed', async () => {
    const units: Unit[] = [
      { value: '{n, plural, one {x}', syntax: 'icu' },
      { value: 'fine', syntax: 'icu' },
    ];
    const outcomes = await translateUnits(units, context(adversary((text) => text)));
    expect(outcomes[0]).toMatchObject({ kind: 'malformed-source' });
    expect(outcomes[1]).toMatchObject({ value: 'fine' });
  });

  it('keeps finished work when the engine dies, and sends no more requests', async () => {
    let calls = 0;
    const dying: Engine = {
      ...adversary((text) => text),
      translate: ({ texts }) => {
        calls++;
        if (calls === 1) return Promise.resolve(texts.map((text) => ({ translation: text })));
        return Promise.reject(new DragomanError('engine_failed', 'it died'));
      },
    };
    const units = Array.from({ length: 1000 }, (_, i): Unit => ({
      value: `text ${'x'.repeat(i)}`,
      syntax: 'plain',
    }));
    const outcomes = await translateUnits(units, { ...context(dying), concurrency: 1 });
    expect(outcomes.some((outcome) => 'value' in outcome)).toBe(true);
    expect(outcomes.at(-1)).toMatchObject({ failure: 'it died', kind: 'engine' });
    expect(calls).toBeLessThan(6);
  });

  it('sends nothing more when interrupted, and reports the unfinished units', async () => {
    const controller = new AbortController();
    const engine = adversary((text) => {
      controller.abort();
      return text;
    });
    const units = Array.from({ length: 300 }, (_, i): Unit => ({ value: `text ${i}`, syntax: 'plain' }));
    const outcomes = await translateUnits(units, {
      ...context(engine),
      signal: controller.signal,
      concurrency: 1,
    });
    expect('value' in outcomes[0]!).toBe(true);
    expect(outcomes.at(-1)).toMatchObject({ kind: 'interrupted' });
  });
});
