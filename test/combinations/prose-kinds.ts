import type { FileKind } from './kind.ts';

export function proseKinds(): readonly FileKind[] {
  const blocks = [
    'A paragraph № with *words*, `code` and [a link](b.md "Title").\n\n',
    '- Item №\n  more\n\n  - Inner\n\n',
    '1. First №\n2. Second\n\n',
    '> Quoted № words\n\n',
    '| Name № | Words |\n| --- | :-: |\n| a \\| b | c |\n\n',
    '```js\ncode(№)\n```\n\n',
    '![Picture №](a.png)\n\n',
    'Setext №\n---\n\n',
  ];
  const markdown = [
    ['', '---\n\n', '***\n\n'],
    ['', '# Heading №\n\n', '## Heading № {#id-№}\n\n'],
    ['', 'Words before №.\n\n', 'Hard  \nbreak №\\\nagain\n\n'],
    blocks,
  ];
  const head = [['', '---\ntitle: A title\ndescription: "Some: words"\n---\n\n']];
  return [
    {
      name: 'Markdown',
      fuzzed: 'markdown',
      extension: 'md',
      head,
      entry: [
        ...markdown,
        [
          '',
          '<details>\n<summary>More №</summary>\n\nInside\n\n</details>\n\n',
          '[ref№]: /a "Title"\n\n',
          'A note.[^n№]\n\n[^n№]: Footnote №\n\n',
          ':::tip Title №\nWords\n:::\n\n',
          '{{< figure src="a.png" caption="Picture \\"№\\"" >}}\n\n',
          '<Badge type="a" text="New №" />\n\n',
          'Words <Badge text="New №" /> and {{< icon title="Seen №" alt="Icon" >}} here.\n\n',
        ],
      ],
    },
    {
      name: 'MDX',
      fuzzed: 'mdx',
      extension: 'mdx',
      head: [...head, ['', "import A from './a';\n\n"]],
      entry: [
        ...markdown,
        [
          '',
          '<Card title="Card №">\n\nInside\n\n</Card>\n\n',
          '{/* Note */}\n\n',
          'Words {value} <b>bold №</b> and <Badge text="New №" />.\n\n',
        ],
      ],
    },
    {
      name: 'HTML',
      fuzzed: 'html',
      extension: 'html',
      head: [
        ['', '<!DOCTYPE html>\n'],
        ['<html lang="en"><head><title>A title</title></head><body>\n', '<div>\n'],
      ],
      entry: [
        ['', '<!-- Note -->\n'],
        ['<p>', '<p class="a" title="Title №">', '<ul><li>', '<table><tr><td>', '<pre>', ''],
        [
          'Words № ',
          '<b>Words</b> <a href="b">link №</a> ',
          'a &amp; b № ',
          '<img alt="Picture №">',
          '{{ name }} № ',
        ],
        ['', '<br>more', '<script>x()</script>', '<i><u>more</u></i>'],
        ['\n'],
      ],
    },
    {
      name: 'e-mail',
      fuzzed: 'email',
      extension: 'eml',
      head: [
        ['From: A <a@example.com>\n', 'X-A: b\n'],
        ['', 'Subject: Hello\n', 'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n', 'Subject: a\n b\n'],
        ['', 'MIME-Version: 1.0\n'],
        [
          'Content-Type: text/plain; charset=utf-8\n',
          'Content-Type: text/plain; format=flowed\n',
          'Content-Type: text/html; charset=utf-8\n',
          '',
        ],
        ['', 'Content-Transfer-Encoding: quoted-printable\n', 'Content-Transfer-Encoding: 8bit\n'],
        ['\n'],
      ],
      entry: [
        ['', '> Quoted №\n'],
        ['Words № and more.\n', 'Two lines №\nof words\n', 'Dear =3D friend №,\n', '* Item №\n'],
        ['', '\n', '\n\n'],
        ['', '-- \nSigned №\n'],
      ],
    },
  ];
}
