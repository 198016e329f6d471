import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/text/message.ts';
import type { Syntax } from '../../src/text/syntax.ts';
import { verify } from '../../src/text/verify.ts';

function words(value: string, syntax: Syntax): string {
  return parseMessage(value, syntax)
    .segments('en')
    .join(' ')
    .replace(/<x id="\d+"\/?>|<\/x>/g, '·');
}

describe('parts of dates', () => {
  it.each<[Syntax, string, string]>([
    ['ruby', '%Y-%m-%d', ''],
    ['ruby', '%H:%M', ''],
    ['ruby', '%Hh%M', '·h·'],
    ['ruby', 'on %B %-d, %Y at %l:%M %p', 'on · ·, · at ·:· ·'],
    ['ruby', '%n%u', ''],
    ['ruby', '100% of %{count}, 50%off', '100% of ·, 50%off'],
    ['plain', '%a %b %d %H:%M:%S %Y', ''],
    ['plain', 'Saved at %H:%M', 'Saved at ·:·'],
    ['plain', '100% sure, 50% Y', '100% sure, 50% Y'],
  ])('of %s are not words: %s', (syntax, value, expected) => {
    expect(words(value, syntax)).toBe(expected);
  });

  it('may change their order, but not disappear or change', () => {
    const check = (value: string) => verify('%B %-d, %Y', value, { syntax: 'ruby', locale: 'es' });
    expect(check('%-d %B %Y')).toEqual([]);
    expect(check('%-d de %B')).not.toEqual([]);
    expect(check('%-d %b %Y')).not.toEqual([]);
  });
});

describe('entities', () => {
  it.each(['&TERMUX_APP_NAME;', '&app-name;', '&a;', '&_x.y;', '&#160;'])(
    'may have any name: %s',
    (entity) => {
      expect(words(`The ${entity} is here`, 'markup')).toMatch(/^The (?:·|\u00a0) is here$/);
    },
  );
});

describe('Python’s printf', () => {
  it('includes a separate conversion', () => {
    expect(words('Flag by %r', 'python')).toBe('Flag by ·');
    expect(words('%(name)r was here', 'python')).toBe('· was here');
  });
});

describe('numbered codes', () => {
  it.each<[string, string]>([
    ['Copied %0 file(s) to %1.', 'Copied · file(s) to ·.'],
    ['%L1 of %2', '· of ·'],
    ['%1% and %10%', '· and ·'],
    ['%50 indirim, 50%2, %5.5', '%50 indirim, 50%2, %5.5'],
  ])('of Qt, JabRef and Boost are distinguished from words: %s', (value, expected) => {
    expect(words(value, 'plain')).toBe(expected);
  });
});

describe('names between two percent signs', () => {
  it.each<[Syntax, string, string]>([
    ['plain', 'User %id% of %ip%, %user_name%', 'User · of ·, ·'],
    ['plain', '%lu% done, 100%de%', '·% done, 100%de%'],
    ['plain', '%s% done, %d%', '·% done, ·%'],
    ['plain', 'at %Hh%Mm', 'at %Hh%Mm'],
    ['symfony', 'User %u% by %n%, %id%', 'User · by ·, ·'],
    ['symfony', '100% of %s', '100% of ·'],
    ['symfony', 'Resultater for %søgeord% og %år%', 'Resultater for · og ·'],
    ['symfony', '50%的人和30%的', '50%的人和30%的'],
    ['laravel', '{0}%n% files|{1}%n% file', ''],
  ])('are one placeholder in %s: %s', (syntax, value, expected) => {
    if (syntax === 'laravel') expect(words(value, syntax)).toMatch(/^(?:·|· )files (?:·|· )file$/);
    else expect(words(value, syntax)).toBe(expected);
  });

  it('must keep both signs', () => {
    const check = (value: string) => verify('User %u%', value, { syntax: 'symfony', locale: 'de' });
    expect(check('Benutzer %u%')).toEqual([]);
    expect(check('Benutzer %u')).not.toEqual([]);
    expect(check('Benutzer % u%')).not.toEqual([]);
  });
});
