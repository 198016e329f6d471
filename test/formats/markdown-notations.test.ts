import { describe, expect, it } from 'vitest';
import { markdown } from '../../src/formats/markdown/format.ts';
import { render } from '../../src/formats/render.ts';
import { mdx } from '../../src/formats/mdx/format.ts';

describe('a notation of a site generator or a comment', () => {
  const NOTATIONS = [
    '{% raw %}`{{ x }}`{% endraw %}',
    '{% highlight ruby %}`x`{% endhighlight %}',
    '{{< raw >}}x *y*{{< /raw >}}',
    '{% link x.md %}',
    '{{ x.y }}',
    '{: .x}',
    '[[x]]',
    ':x:',
    '$x_1$',
    '++x+y++',
    '\\\\(x_1\\\\)',
  ];
  const OF_MDX = ['<!-- x -->', '{/* x */}', '[[x]]', ':x:', '$x_1$', '<https://x.y>'];
  const PLACES = [
    'alpha N beta gamma',
    'N alpha beta gamma',
    'alpha beta\ngamma alpha N',
    'alpha beta\nN gamma',
    'alpha beta N\ngamma',
    'alpha\nbeta\nN',
    'alpha *beta\nN gamma*',
    'alpha\nN N beta\ngamma',
  ];
  const CONTAINERS: readonly (readonly [first: string, next: string])[] = [
    ['', ''],
    ['- ', ''],
    ['> 1. ', '>    '],
  ];
  const wrapped = (text: string): string => text.replace(/alpha|beta|gamma/g, (word) => `${word} ${word}`);

  it.each([
    ...NOTATIONS.map((notation) => ['Markdown', notation, markdown] as const),
    ...OF_MDX.map((notation) => ['MDX', notation, mdx] as const),
  ])('stays once among words that wrap: %s, %s', (_, notation, format) => {
    for (const [first, next] of CONTAINERS)
      for (const place of PLACES) {
        const source = `${first}${place.replaceAll('N', () => notation).replaceAll('\n', `\n${next}`)}\n`;
        const document = format.scan(source);
        const values = new Map(document.slots.map(({ value }, i) => [i, wrapped(value)]));
        const { text, rejected } = render(format, document, values);
        expect(rejected.size, source).toBe(0);
        const plain = (markup: string): string => markup.replace(/[\s>]+/g, ' ');
        expect(plain(text), source).toBe(plain(wrapped(source)));
      }
  });
});
