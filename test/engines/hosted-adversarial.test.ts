import { describe, expect, it } from 'vitest';
import type { Unit } from '../../src/pipeline/unit.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import type { Syntax } from '../../src/text/syntax.ts';
import { connect, HOSTED } from './servers/hosted.ts';
import type { VendorAnswer } from './servers/vendor-server.ts';

interface Sample extends Unit {
  /** What stands in the value and must stand in every translation of it, as often as here. */
  readonly parts: readonly string[];
}

const sample = (syntax: Syntax, value: string, ...parts: string[]): Sample => ({ syntax, value, parts });

const SAMPLES: readonly Sample[] = [
  sample('plain', 'Hello {name}, see https://example.org/a?b=c', '{name}', 'https://example.org/a?b=c'),
  sample('plain', 'You have <b>{{count}}</b> new &amp; old items', '<b>', '</b>', '{{count}}', '&amp;'),
  sample('icu', 'You have {n, plural, one {# file} other {# files}} in {folder}', '{folder}', ' other {'),
  sample('icu', 'Read <link>the {what}</link> now', '<link>', '</link>', '{what}'),
  sample('c', 'Cannot open %s: error %d\nof %5.2f', '%s', '%d', '%5.2f'),
  sample('python-brace', 'Hi {user!r:>10} and\n\n  more', '{user!r:>10}'),
  sample('android', 'Downloading %1$s (%2$d%%) <b>now</b>', '%1$s', '%2$d', '<b>', '</b>'),
  sample('markup', 'Hello <g id="a">%1$s</g> &lt; <b>you</b>', '<g id="a">%1$s</g>', '<b>', '</b>'),
];

const TAG = /<[^<>]+>/;
const TAGS = /<[^<>]+>/g;

/** Ways in which a service damages the markup of an answer. */
const DAMAGES: Readonly<Record<string, (text: string) => string>> = {
  drop: (text) => text.replace(TAG, ''),
  'drop all': (text) => text.replace(TAGS, ''),
  double: (text) => text.replace(TAG, '$&$&'),
  renumber: (text) => text.replace(/(\d)"/g, (_, digit: string) => `${Number(digit) + 1}"`),
  'same number': (text) => text.replace(/\d"/g, '1"'),
  rename: (text) => text.replace(/<(\/?)\w+/g, '<$1q'),
  're-case': (text) => text.replace(TAGS, (tag) => tag.toUpperCase()),
  'other quotes': (text) => text.replace(/"(\w\d+)"/g, '“$1”'),
  space: (text) => text.replace(TAGS, (tag) => `< ${tag.slice(1, -1)} >`),
  'full width': (text) => text.replace(/</g, '＜').replace(/>/g, '＞'),
  escape: (text) => text.replace(/</g, '&lt;').replace(/>/g, '&gt;'),
  'escape twice': (text) => text.replace(/</g, '&amp;lt;').replace(/>/g, '&amp;gt;'),
  unclose: (text) => text.replace(/<\/\w+>/g, ''),
  reverse: (text) =>
    text
      .split(/(<[^<>]+>)/)
      .reverse()
      .join(''),
  'add tags': (text) => `<script>alert(1)</script>${text}<br>`,
  'add syntax': (text) => `${text} {extra} %s %@ $t(key) &nbsp; &#37;s`,
  'add ICU': (text) => `{k, plural, one {x} other {y}} ${text}`,
  'add braces': (text) => `{${text}}`,
  entities: (text) => text.replace(/[AEIOU]/g, (c) => `&#${c.codePointAt(0)};`),
  'bad entities': (text) => `${text}&#0;&#xd800;&#x110000;&#9999999;&unknown;&`,
  control: (text) => `\u0000\u001b[31m${text}`,
  empty: () => '',
  truncate: (text) => text.slice(0, Math.ceil(text.length / 2)),
  lines: (text) => text.replace(/<br[^>]*>|\n/g, ' '),
};

/** The same answer with every translation of it damaged. */
function damaged(answer: VendorAnswer, damage: (text: string) => string): VendorAnswer {
  const walk = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') {
      if (name === 'content') return JSON.stringify(walk(JSON.parse(value), ''));
      return name === 'text' || name === 'translatedText' ? damage(value) : value;
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, key)]));
  };
  return { ...answer, body: walk(answer.body, '') };
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;

describe.each(HOSTED)('$name whose answers are damaged', (hosted) => {
  it('never breaks a value', async () => {
    const server = await hosted.start();
    const engine = connect(hosted, server);
    const broken: unknown[] = [];
    let translated = 0;
    try {
      for (const [name, damage] of Object.entries(DAMAGES)) {
        server.always = (answer) => damaged(answer, damage);
        const context = { engine, source: 'en', target: 'es', signal: new AbortController().signal };
        const outcomes = await translateUnits(SAMPLES, context);
        for (const [i, { value, parts }] of SAMPLES.entries()) {
          const outcome = outcomes[i];
          if (!outcome || 'failure' in outcome) continue;
          translated++;
          const lost = parts.filter((part) => countOf(outcome.value, part) !== countOf(value, part));
          const lines = countOf(outcome.value, '\n') - countOf(value, '\n');
          const isPlain =
            (name === 'lines' || name === 'truncate') &&
            hosted.name !== 'google' &&
            hosted.name !== 'libretranslate';
          const hasControls = /[\u0000-\u0008\u001b\ud800-\udfff]/.test(
            outcome.value.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ''),
          );
          if (lost.length > 0 || hasControls || (lines < 0 && !isPlain)) {
            broken.push({ name, value, translation: outcome.value, lost });
          }
        }
      }
    } finally {
      await engine.close();
      await server.close();
    }
    expect(broken).toEqual([]);
    // A suite in which nothing is translated would show nothing.
    expect(translated).toBeGreaterThan(60);
  });

  it('translates 10,000 strings with placeholders, none of them broken', async () => {
    const server = await hosted.start();
    const engine = connect(hosted, server);
    const units = Array.from({ length: 10_000 }, (_, i) => ({
      value: `Message ${i} of {user} has <b>%${(i % 3) + 1}$s</b> files`,
      syntax: 'plain' as const,
    }));
    const context = { engine, source: 'en', target: 'es', signal: new AbortController().signal };
    const outcomes = await translateUnits(units, context);
    await engine.close();
    await server.close();
    const wrong = outcomes.filter(
      (outcome, i) =>
        'failure' in outcome || outcome.value !== `MESSAGE ${i} OF {user} HAS <b>%${(i % 3) + 1}$s</b> FILES`,
    );
    expect(wrong).toEqual([]);
  }, 30_000);
});
