import type { FileKind } from './kind.ts';

export function subtitleKinds(): readonly FileKind[] {
  const texts = (open: string, close: string, br: string): (readonly string[])[] => [
    [
      'Words № here.',
      'Words № that',
      `- One №.${br}- Two.`,
      `${open}Words №${close}`,
      `${open}a${close} b №${br}c`,
      '',
    ],
    ['', `${br}and more.`, `${br}${open}more${close}`],
  ];
  const time = '00:0№:0';
  return [
    {
      name: 'SubRip',
      fuzzed: 'srt',
      extension: 'srt',
      head: [['', '\n']],
      entry: [
        ['№\n', ''],
        [`${time}1,000 --> ${time}2,000`],
        ['', ' X1:1 X2:2 Y1:3 Y2:4'],
        ['\n'],
        ...texts('<i>', '</i>', '\n'),
        ['', '{\\an8}'],
        ['\n\n', '\n\n\n'],
      ],
    },
    {
      name: 'WebVTT',
      fuzzed: 'vtt',
      extension: 'vtt',
      head: [
        ['WEBVTT', 'WEBVTT - A title', 'WEBVTT\nKind: captions'],
        ['\n\n'],
        ['', 'STYLE\n::cue { color: red }\n\n', 'NOTE A\n\n'],
      ],
      entry: [
        ['', 'NOTE a\n\n'],
        ['', 'id-№\n'],
        [`${time}1.000 --> ${time}2.000`],
        ['', ' line:0 align:left'],
        ['\n'],
        ['', '<v Ann>', '<c.red>'],
        ...texts('<i>', '</i>', '\n'),
        ['\n\n'],
      ],
    },
    {
      name: 'ASS',
      fuzzed: 'ass',
      extension: 'ass',
      head: [
        ['[Script Info]\nScriptType: v4.00+\n\n'],
        ['', '[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n'],
        [
          '[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:00.00,0:00:00.50,Default,,0,0,0,,First\n',
        ],
      ],
      entry: [
        ['Dialogue: 0,', 'Dialogue: 1,', 'Comment: 0,'],
        ['0:0№:01.00,0:0№:02.00,Default,'],
        ['', 'Ann'],
        [',0,0,0,'],
        ['', 'fx'],
        [','],
        ['', '{\\an8\\pos(1,2)}', '{\\k20}'],
        ...texts('{\\i1}', '{\\i0}', '\\N'),
        ['\n'],
      ],
    },
    {
      name: 'TTML',
      fuzzed: 'ttml',
      extension: 'ttml',
      head: [
        ['', '<?xml version="1.0"?>\n'],
        [
          '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="en">\n',
        ],
        ['', '<head><styling><style xml:id="s" tts:color="red"/></styling></head>\n'],
        ['<body><div>\n<p begin="0s" end="0.5s">First</p>\n'],
      ],
      entry: [
        ['', '<!-- a -->\n'],
        ['<p begin="№s" end="№.5s"'],
        ['', ' style="s"', ' region="r"'],
        ['>'],
        ...texts('<span tts:fontStyle="italic">', '</span>', '<br/>'),
        ['</p>\n'],
      ],
      tail: '</div></body></tt>\n',
    },
    {
      name: 'SBV',
      fuzzed: 'sbv',
      extension: 'sbv',
      head: [['']],
      entry: [['0:0№:01.000,0:0№:02.000\n'], ['', '>> '], ...texts('[', ']', '\n'), ['\n\n']],
    },
    {
      name: 'LRC',
      fuzzed: 'lrc',
      extension: 'lrc',
      head: [
        ['', '[ti:A]\n[ar:B]\n'],
        ['', '[offset:10]\n'],
      ],
      entry: [
        ['[00:0№.00]', '[00:0№.00][00:1№.00]'],
        ['', 'F: '],
        ['Words № here', '<00:0№.00>Words <00:0№.50>№', ''],
        ['\n'],
      ],
    },
    {
      name: 'MicroDVD',
      fuzzed: 'microdvd',
      extension: 'sub',
      head: [['', '{1}{1}25.000\n']],
      entry: [['{№0}{№5}'], ['', '{y:i}', '{Y:b}', '{c:$0000ff}'], ...texts('/', '', '|'), ['\n']],
    },
  ];
}
