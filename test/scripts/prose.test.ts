import { describe, expect, it } from 'vitest';
import { exceptionOf, findPatterns, readExceptions } from '../../scripts/prose/patterns.ts';

describe('npm run prose', () => {
  it('finds each pattern with its line, and every occurrence', () => {
    const found = findPatterns(
      'a.ts',
      '// x\n  // What is left is no list.\n// It has no list, no longer.\n',
    );
    expect(found).toEqual([
      { pattern: 'is no …', path: 'a.ts', line: 2, text: '// What is left is no list.' },
      { pattern: 'what is …', path: 'a.ts', line: 2, text: '// What is left is no list.' },
      { pattern: 'What …', path: 'a.ts', line: 2, text: '// What is left is no list.' },
    ]);
    expect(findPatterns('a.ts', '/** Of each file. */\n// Those of the source go on.')).toHaveLength(3);
    expect(findPatterns('a.ts', 'whoever opens it, whatever it holds')).toHaveLength(2);
  });

  it('accepts English that only looks similar', () => {
    expect(
      findPatterns(
        'a.md',
        'It is no longer used. It stands for a name. Its own key. Besides, it goes on with the next. What else?',
      ),
    ).toEqual([]);
  });

  it('identifies exceptions by their line, even if it has moved', () => {
    const exceptions = readExceptions('# why\n\na.ts: // is no list\n');
    const [first] = findPatterns('a.ts', '\n\n   // is no list\n');
    expect(exceptions.has(exceptionOf(first!))).toBe(true);
    expect(exceptions.has(exceptionOf({ ...first!, path: 'b.ts' }))).toBe(false);
  });
});
