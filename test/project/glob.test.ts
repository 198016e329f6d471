import fc from 'fast-check';
import micromatch from 'micromatch';
import { describe, expect, it } from 'vitest';
import { compileGlob, expandBraces } from '../../src/project/config/glob.ts';
import { compilePathPattern } from '../../src/project/config/path-pattern.ts';
import { processorTime } from '../processor-time.ts';
import { runs } from '../property-runs.ts';

/** micromatch as fast-glob uses it: braces are expanded, and each pattern is a separate expression. */
function reference(pattern: string): (path: string) => boolean {
  const options = { dot: false, posix: true, windows: false, strictSlashes: false, debug: true };
  const unguarded = { ...options, maxExtglobRecursion: false };
  const expressions = micromatch
    .braces(pattern, { expand: true, nodupes: true, keepEscaping: true })
    .filter((one) => one !== '')
    .map((one) => micromatch.makeRe(one, unguarded));
  return (path) => expressions.some((expression) => expression.test(path));
}

const leaf = fc.constantFrom(
  'a',
  'b',
  'ab',
  '.',
  '/',
  '*',
  '**',
  '**/',
  '?',
  '[ab]',
  '[!a]',
  '[a-b]',
  '\\*',
  '-',
  '+',
);
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: leaf, weight: 6 },
    {
      arbitrary: fc
        .tuple(
          fc.constantFrom('!', '@', '?', '*', '+', ''),
          fc.array(tie('pattern'), { minLength: 1, maxLength: 3 }),
        )
        .map(([kind, parts]) => `${kind}(${parts.join('|')})`),
      weight: 2,
    },
    {
      arbitrary: fc
        .array(tie('pattern'), { minLength: 1, maxLength: 3 })
        .map((parts) => `{${parts.join(',')}}`),
      weight: 2,
    },
  ),
  pattern: fc.array(tie('part'), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
}));
const path = fc
  .array(fc.constantFrom('a', 'b', 'ab', '.', '/', '-', '*', '+'), { minLength: 1, maxLength: 10 })
  .map((parts) => parts.join(''));

/** File names: without empty names, `.` and `..`. */
const filePath = path.filter((text) => !/^\/|\/\/|\/$|\.(?:\/|$)/.test(text));

/**
 * Patterns in which micromatch reads a part as a regular expression instead of a glob: a sign after a bracket or in a
 * group, slashes and `**` in groups, and more than two stars.
 */
const ODD =
  /[\])]\+|\)[*?]|\(\?|\+\+|\.\.|\*\*[!@+*?]?\(|\*\*\*|[^/]\*\*\/|[{}]|^\.?\/|\(.*(?:\/|\*\*|\+)|\*\*\/.*\(/;

describe('globs', () => {
  it('match the same paths as micromatch', () => {
    let matched = 0;
    fc.assert(
      fc.property(pattern, fc.array(filePath, { minLength: 1, maxLength: 20 }), (glob, paths) => {
        fc.pre(!/^!(?!\()|\/\//.test(glob) && (glob.match(/[{,]/g) ?? []).length < 9);
        fc.pre(expandBraces(glob).every((one) => !ODD.test(one)));
        const expected = paths.map(reference(glob));
        const compiled = compileGlob(glob);
        const found = paths.map((one) => compiled.matches(one));
        expect(found).toEqual(expected);
        matched += found.filter(Boolean).length;
      }),
      { numRuns: runs(2_000) },
    );
    expect(matched).toBeGreaterThan(runs(500));
  });

  it.each([
    ['locales/**/*a*a*a*a*a*a*a*a*b', `locales/${'a'.repeat(60)}`],
    ['**/'.repeat(10) + 'x', 'a/'.repeat(200) + 'y'],
    ['*(*(*(*(a))))b', 'a'.repeat(4000)],
    ['!(*a*a*a*a*a*a*a*b)*c', 'a'.repeat(2000)],
    ['+(a|aa|aaa)@(b|c)', 'a'.repeat(4000)],
    ['@(a|a)'.repeat(40) + 'b', 'a'.repeat(41)],
    ['{locale}/*{locale}*{locale}/x', `${'a'.repeat(250)}/${'a'.repeat(250)}/y`],
  ])('match %s in linear time', (glob, text) => {
    const compiled = compileGlob(glob);
    const begin = processorTime();
    expect(compiled.matches(text)).toBe(false);
    expect(processorTime() - begin).toBeLessThan(1_000);
  });

  it.each([
    ['{a,b}'.repeat(20), /stand for more than 500 patterns/],
    ['{1..100000}', /stand for more than 500 patterns/],
    ['{a,'.repeat(300) + '}'.repeat(300), /more than 1000 characters/],
    ['*'.repeat(1001), /more than 1000 characters/],
    ['@('.repeat(300) + 'a' + ')'.repeat(300), /nested too deeply/],
    ['@(a', /is not a file pattern/],
    ['[b-a]', /is not a file pattern/],
    ['a/{b', /is not a file pattern/],
    ['!a', /is not a file pattern/],
    ['', /is empty/],
  ])('refuse %j', (glob, message) => {
    const begin = processorTime();
    expect(() => compileGlob(glob)).toThrow(message);
    expect(processorTime() - begin).toBeLessThan(1_000);
  });

  it('match {locale} as one spelling in every position', () => {
    const glob = compileGlob('l/{locale}/{x,{locale}-}*.json');
    expect(['l/en/en-a.json', 'l/pt-BR/pt-BR-a.json', 'l/en/x.json'].map((one) => glob.matches(one))).toEqual(
      [true, true, true],
    );
    expect(['l/en/fr-a.json', 'l/e/n/x.json', 'l//x.json'].map((one) => glob.matches(one))).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('patterns of paths', () => {
  it.each([
    ['l/{locale}/**/*.json', 'l/en/a/b/c.json', 'en', ['a/b', 'c'], 'l/fr/a/b/c.json'],
    ['l/{locale}/**/*.json', 'l/en/c.json', 'en', ['', 'c'], 'l/fr/c.json'],
    ['{locale}/{locale}-?.json', 'en/en-1.json', 'en', ['1'], 'fr/fr-1.json'],
    ['{app,admin*}/{locale}.json', 'admin2/en.json', 'en', ['admin2'], 'admin2/fr.json'],
    ['{a/{b,c},d?}/{locale}.json', 'a/c/en.json', 'en', ['a/c'], 'a/c/fr.json'],
    ['app/\\[x\\]/{1..3}/{locale}.json', 'app/[x]/2/en.json', 'en', ['2'], 'app/[x]/2/fr.json'],
    ['./l/{locale}/**', 'l/en/a/b.json', 'en', ['a/b.json'], 'l/fr/a/b.json'],
    ['{a}/{locale}.json', '{a}/en.json', 'en', [], '{a}/fr.json'],
  ])('%s finds the target of %s', (pattern, path, locale, wildcards, target) => {
    const compiled = compilePathPattern(pattern);
    expect(compiled.capture(path)).toEqual({ locale, wildcards });
    expect(compiled.fill('fr', wildcards)).toBe(target);
  });

  it.each([
    ['[ax]*/{locale}.json', /`\[` cannot be carried over/],
    ['!(x)/{locale}.json', /`\(` cannot be carried over/],
    ['{a,[b]}/{locale}.json', /`\[` cannot be carried over/],
    ['{a,{locale}}.json', /`\{locale\}` in braces/],
    ['l/**.{locale}.json', /must be a whole path segment/],
    ['l/\\d/{locale}.json', /`\\d` cannot be carried over/],
  ])('refuse %s', (pattern, message) => {
    expect(() => compilePathPattern(pattern)).toThrow(message);
  });

  it('fill restores the captures of every match', () => {
    const part = fc.constantFrom('a', 'b', '-', '/', '*', '/**/', '?', '{a,b*}', '{a,{b,ab}}', '{locale}');
    const glob = fc
      .array(part, { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join('').replace(/\/+/g, '/'));
    let matched = 0;
    fc.assert(
      fc.property(glob, fc.array(path, { minLength: 20, maxLength: 20 }), (pattern, paths) => {
        fc.pre(!/(?:^|[^/])\*\*|\*\*(?:[^/]|$)|^\/|\/$/.test(pattern) && pattern.split(',').length < 6);
        const compiled = compilePathPattern(pattern);
        const whole = compileGlob(pattern);
        for (const one of paths.filter((text) => !/^\/|\/\/|\/$/.test(text))) {
          const captures = compiled.capture(one);
          expect(captures !== undefined, one).toBe(whole.matches(one));
          if (!captures) continue;
          matched++;
          expect(compiled.fill(captures.locale ?? '', captures.wildcards)).toBe(one);
        }
      }),
      { numRuns: runs(400) },
    );
    expect(matched).toBeGreaterThan(runs(200));
  });
});
