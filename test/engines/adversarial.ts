import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engines/engine.ts';
import type { Unit } from '../../src/pipeline/unit.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import type { Syntax } from '../../src/text/syntax.ts';

interface Sample extends Unit {
  /** The parts of a value that every translation must contain as often as the value. */
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

/** A tag in the notations of services: an element, or a number in braces. */
const TAG = /<[^<>]+>|\{\d+\}/;
const TAGS = new RegExp(TAG, 'g');

const FULL_WIDTH: Readonly<Record<string, string>> = { '<': '＜', '>': '＞', '{': '｛', '}': '｝' };

/** Ways in which a service damages the markup of an answer. */
const DAMAGES: Readonly<Record<string, Damage>> = {
  drop: (text) => text.replace(TAG, ''),
  'drop all': (text) => text.replace(TAGS, ''),
  double: (text) => text.replace(TAG, '$&$&'),
  renumber: (text) => text.replace(/\d(?=["}>])/g, (digit) => String(Number(digit) + 1)),
  'same number': (text) => text.replace(/\d(?=["}>])/g, '1'),
  rename: (text) => text.replace(/<(\/?)\w+/g, '<$1q'),
  're-case': (text) => text.replace(TAGS, (tag) => tag.toUpperCase()),
  'other quotes': (text) => text.replace(/"(\w\d+)"/g, '“$1”'),
  space: (text) => text.replace(TAGS, (tag) => `${tag[0]} ${tag.slice(1, -1)} ${tag.at(-1)}`),
  'full width': (text) => text.replace(/[<>{}]/g, (c) => FULL_WIDTH[c] ?? c),
  escape: (text) => text.replace(/</g, '&lt;').replace(/>/g, '&gt;'),
  'escape twice': (text) => text.replace(/</g, '&amp;lt;').replace(/>/g, '&amp;gt;'),
  unclose: (text) => text.replace(/<\/\w+>/g, ''),
  reverse: (text) =>
    text
      .split(/(<[^<>]+>|\{\d+\})/)
      .reverse()
      .join(''),
  'add tags': (text) => `<script>alert(1)</script>${text}<br>`,
  'add syntax': (text) => `${text} {extra} %s %@ $t(key) &nbsp; &#37;s`,
  'add ICU': (text) => `{k, plural, one {x} other {y}} ${text}`,
  'add braces': (text) => `{${text}}`,
  entities: (text) => text.replace(/[AEIOU]/g, (c) => `&#${c.codePointAt(0)};`),
  'bad entities': (text) => `${text}&#0;&#xd800;&#x110000;&#9999999;&unknown;&`,
  control: (text) => `\u0000\u001b[31m${text}`,
  'half a character': (text) => `${text}\ud83d`,
  empty: () => '',
  truncate: (text) => text.slice(0, Math.ceil(text.length / 2)),
  lines: (text) => text.replace(/<br[^>]*>|\n/g, ' '),
};

const countOf = (text: string, part: string): number => text.split(part).length - 1;

export type Damage = (translation: string) => string;

/** An engine that translates into capitals through a service whose answers are damaged on the way. */
export interface Attacked {
  readonly engine: Engine;
  /** Sets how all following translations are damaged. */
  attack(damage: Damage): void;
  close(): Promise<void>;
}

export interface AdversarialOptions {
  readonly open: () => Promise<Attacked>;
  /** Whether a line break is an ordinary character of the text, so that a lost one cannot be detected. */
  readonly losesLines: boolean;
}

/** Tests that an engine never breaks a value, whatever answer it gets. */
export function adversarialSuite(name: string, { open, losesLines }: AdversarialOptions): void {
  describe(`${name} whose answers are damaged`, () => {
    it('never breaks a value', async () => {
      const attacked = await open();
      const broken: unknown[] = [];
      let translated = 0;
      try {
        for (const [kind, damage] of Object.entries(DAMAGES)) {
          attacked.attack(damage);
          const outcomes = await translateUnits(SAMPLES, contextOf(attacked));
          for (const [i, { value, parts }] of SAMPLES.entries()) {
            const outcome = outcomes[i];
            if (!outcome || 'failure' in outcome) continue;
            translated++;
            const lost = parts.filter((part) => countOf(outcome.value, part) !== countOf(value, part));
            const lines = countOf(outcome.value, '\n') - countOf(value, '\n');
            const mayLose = losesLines && (kind === 'lines' || kind === 'truncate');
            const hasControls = /[\u0000-\u0008\u001b\ud800-\udfff]/.test(
              outcome.value.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ''),
            );
            if (lost.length > 0 || hasControls || (lines < 0 && !mayLose)) {
              broken.push({ kind, value, translation: outcome.value, lost });
            }
          }
        }
      } finally {
        await attacked.close();
      }
      expect(broken).toEqual([]);
      // If nothing were translated, the suite would prove nothing.
      expect(translated).toBeGreaterThan(60);
    });

    it('translates 10,000 strings with placeholders, none of them broken', async () => {
      const attacked = await open();
      const units = Array.from({ length: 10_000 }, (_, i) => ({
        value: `Message ${i} of {user} has <b>%${(i % 3) + 1}$s</b> files`,
        syntax: 'plain' as const,
      }));
      const outcomes = await translateUnits(units, contextOf(attacked));
      await attacked.close();
      const wrong = outcomes.filter(
        (outcome, i) =>
          'failure' in outcome ||
          outcome.value !== `MESSAGE ${i} OF {user} HAS <b>%${(i % 3) + 1}$s</b> FILES`,
      );
      expect(wrong).toEqual([]);
    }, 30_000);
  });
}

function contextOf({ engine }: Attacked): Parameters<typeof translateUnits>[1] {
  return { engine, source: 'en', target: 'es', signal: new AbortController().signal };
}
