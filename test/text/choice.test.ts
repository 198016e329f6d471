import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { choicePositions } from '../../src/text/choice.ts';
import { parseMessage } from '../../src/text/message.ts';
import { verify } from '../../src/text/verify.ts';

const branches = (value: string, locale: string): string => {
  const message = parseMessage(value, 'laravel');
  return message.assemble(locale, message.segments(locale));
};

describe("Laravel's choices", () => {
  it.each([
    ['One apple|:count apples', 'de', 'One apple|:count apples'],
    ['One apple|:count apples', 'ru', ':count apples|:count apples|:count apples'],
    [':count apple|:count apples', 'ru', ':count apple|:count apples|:count apples'],
    ['One apple|:count apples', 'pl', 'One apple|:count apples|:count apples'],
    ['One apple|:count apples', 'fr', ':count apples|:count apples'],
    ['One apple|:count apples', 'ja', ':count apples'],
    ['apple|apples', 'ja', 'apples'],
    ['apple|apples', 'ar', 'apples|apple|apples|apples|apples|apples'],
    ['One apple|:count apples', 'lv', ':count apples|:count apples|:count apples'],
    // No rule: Laravel takes the first branch.
    ['apple|apples', 'xx', 'apple|apples'],
    // Conditions apply to every language, and a bar between two texts is not a choice.
    ['{0} None|{1} One|[2,*] :count', 'ru', '{0} None|{1} One|[2,*] :count'],
    ['{1} One|[2,*] :count', 'ja', '{1} One|[2,*] :count'],
    ['Home | Shop', 'ja', 'Home | Shop'],
    ['One apple|:count apples', 'pt-BR', 'One apple|:count apples'],
    // Symfony's choices.
    ['One apple|%count% apples', 'pt-BR', '%count% apples|%count% apples'],
    ['One apple|%count% apples', 'pt', 'One apple|%count% apples'],
    ['One apple | %count% apples', 'ja', '%count% apples'],
    [']-Inf, 0] None|]0,Inf[ %count%', 'ru', ']-Inf, 0] None|]0,Inf[ %count%'],
    ['a|b|c', 'ja', 'a|b|c'],
    ['one: One apple|some: %count% apples', 'pl', 'one: One apple|some: %count% apples|some: %count% apples'],
  ])('%s, in %s, has the branches %s', (value, locale, expected) => {
    expect(branches(value, locale)).toBe(expected);
  });

  it.each([
    ['One apple|:count apples', 'Jedno jabłko|:count jabłka|:count jabłek', 'pl', 0],
    ['One apple|:count apples', 'Jedno jabłko|:count jabłka', 'pl', 0],
    ['One apple|:count apples', 'Jedno|:count|:count|:count', 'pl', 1],
    ['One apple|:count apples', 'Jedno jabłko|:ile jabłka|:count jabłek', 'pl', 1],
    ['One :fruit|:count :fruit', 'Eine :fruit|viele :fruit', 'de', 0],
    ['One :fruit|:count :fruit', 'Eine|:count :fruit', 'de', 1],
    [':count apple|:count apples', 'Ein Apfel|:count Äpfel', 'de', 0],
    [':count apple|:count apples', 'Une pomme|:count pommes', 'fr', 1],
    [':count apple|:count apples', ':count個のりんご', 'ja', 0],
    ['{1} One|[2,*] :count', '{1} Eins|[2,*] :count', 'de', 0],
    ['{1} One|[2,*] :count', '[2,*] :count|{1} Eins', 'de', 2],
    ['{1} One|]1,Inf[ %count%', '{1} Eins|]1,Unendl.[ %count%', 'de', 1],
    ['{0} None|{1} One', 'Keiner {0}|{1} Eins', 'de', 1],
    ['{name} one|{name} more', 'eins {name}|{name} mehr', 'de', 0],
    ['{0} None|one: One|more: :count', '{0} Keiner|eins: Eins|mehr: :count', 'de', 0],
    ['one: One|more: %count%', 'eins: Eins|mehr: %count%', 'de', 0],
    ['one: One|more: %count%', 'Eins|%count%', 'de', 0],
  ])('%s as %s in %s has %i problems', (source, target, locale, problems) => {
    const found = verify(source, target, { syntax: 'laravel', locale });
    expect(found.length > 0 ? 1 : 0, JSON.stringify(found)).toBe(problems > 0 ? 1 : 0);
  });

  it.each([
    ['one: One apple|some: apples', ['One apple', 'apples']],
    ['{0} None|one: One|more: Many', ['None', 'One', 'Many']],
    ['{0} None|[1] One|[2,*] :count of them', ['None', 'One', '<x id="1"/> of them']],
    ['{0} files', ['<x id="1"/> files']],
    ['single: One|plural: %count%', ['One']],
    // Not labels: not in every branch, not a word for a number, or not at the beginning.
    ['one: One apple|%count% apples', ['one: One apple', '<x id="1"/> apples']],
    ['from: A|to: B', ['from: A', 'to: B']],
    ['Note: one|Note: more', ['Note: one', 'Note: more']],
  ])('the texts of %s are %j', (value, expected) => {
    const texts = parseMessage(value, 'laravel').segments('de');
    expect(texts).toEqual(expected);
  });

  const hasPhp = spawnSync('php', ['-v']).status === 0;
  it.skipIf(!hasPhp)('agree with the arithmetic of the selector as PHP computes it', () => {
    // The complicated rules, as in Laravel's MessageSelector.
    const rules: Readonly<Record<string, string>> = {
      ru: '(($n % 10 == 1) && ($n % 100 != 11)) ? 0 : ((($n % 10 >= 2) && ($n % 10 <= 4) && (($n % 100 < 10) || ($n % 100 >= 20))) ? 1 : 2)',
      lt: '(($n % 10 == 1) && ($n % 100 != 11)) ? 0 : ((($n % 10 >= 2) && (($n % 100 < 10) || ($n % 100 >= 20))) ? 1 : 2)',
      pl: '($n == 1) ? 0 : ((($n % 10 >= 2) && ($n % 10 <= 4) && (($n % 100 < 12) || ($n % 100 > 14))) ? 1 : 2)',
      ro: '($n == 1) ? 0 : ((($n == 0) || (($n % 100 > 0) && ($n % 100 < 20))) ? 1 : 2)',
      mt: '($n == 1) ? 0 : ((($n == 0) || (($n % 100 > 1) && ($n % 100 < 11))) ? 1 : ((($n % 100 > 10) && ($n % 100 < 20)) ? 2 : 3))',
      ar: '($n == 0) ? 0 : (($n == 1) ? 1 : (($n == 2) ? 2 : ((($n % 100 >= 3) && ($n % 100 <= 10)) ? 3 : ((($n % 100 >= 11) && ($n % 100 <= 99)) ? 4 : 5))))',
    };
    for (const [language, rule] of Object.entries(rules)) {
      const code = `$all = []; foreach (range(0, 130) as $n) $all[${rule}][] = $n; ksort($all); echo json_encode($all);`;
      const { stdout } = spawnSync('php', ['-r', code], { encoding: 'utf8' });
      expect(choicePositions(language), language).toEqual(JSON.parse(stdout));
    }
  });
});
