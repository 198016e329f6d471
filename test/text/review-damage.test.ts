import { describe, expect, it } from 'vitest';
import { reviewTranslation } from '../../src/text/review/review.ts';
import type { Syntax } from '../../src/text/syntax.ts';

describe('reviewTranslation of damaged translations', () => {
  // Each token of the translation is omitted, truncated and renamed.
  it.each<[Syntax, source: string, target: string, tokens: readonly string[]]>([
    ['c', '%s: %d files', '%s: %d Dateien', ['%s', '%d']],
    ['python', '%(user)s in %(place)s', '%(user)s aus %(place)s', ['%(user)s', '%(place)s']],
    ['python-brace', '{user} in {place}', '{user} aus {place}', ['{user}', '{place}']],
    ['scheme', '~a of ~d', '~a von ~d', ['~a', '~d']],
    ['kde', '%1 of %2', '%1 von %2', ['%1', '%2']],
    ['icu', '{user} sent {size, number}', '{user}: {size, number}', ['{user}', '{size, number}']],
    ['i18next', '{{user}} in {{place}}', '{{user}} aus {{place}}', ['{{user}}', '{{place}}']],
    ['vue', '{user} in {place}', '{user} aus {place}', ['{user}', '{place}']],
    ['chrome', '$USER$ in $PLACE$', '$USER$ aus $PLACE$', ['$USER$', '$PLACE$']],
    ['ruby', '%{user} in %{place}', '%{user} aus %{place}', ['%{user}', '%{place}']],
    ['laravel', ':user in :place', ':user aus :place', [':user', ':place']],
    ['java', '{0} of {1}', '{0} von {1}', ['{0}', '{1}']],
    ['apple', '%@ of %d', '%@ von %d', ['%@', '%d']],
    ['android', '%1$s of %2$d', '%1$s von %2$d', ['%1$s', '%2$d']],
    ['plain', '%s of %d', '%s von %d', ['%s', '%d']],
    ['plain', '%1 of %2', '%1 von %2', ['%1', '%2']],
    ['plain', '{user}: {done}%', '{user}: {done} %', ['{user}', '{done}']],
    ['plain', '%user% in %place%', '%user% aus %place%', ['%user%', '%place%']],
  ])('finds the damage in %s: %s', (syntax, source, target, tokens) => {
    const options = { syntax, locale: 'de' };
    expect(reviewTranslation([source], target, options)).toEqual([]);
    const damages: readonly ((token: string) => string)[] = [
      () => '',
      (token) => token.slice(0, -1),
      (token) => token.replace(/[a-z\d]/i, (c) => (/\d/.test(c) ? '9' : 'q')),
    ];
    const found = tokens.flatMap((token) =>
      damages.map((damage) => {
        const damaged = target.replace(token, () => damage(token));
        const rules = new Set(reviewTranslation([source], damaged, options).map(({ rule }) => rule));
        return damaged === target || rules.has('placeholder-mismatch') || rules.has('icu-syntax')
          ? 'found'
          : damaged;
      }),
    );
    expect(found).toEqual(found.map(() => 'found'));
  });
});
