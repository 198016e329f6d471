import fc from 'fast-check';

/** Random pages: everything that browsers accept; constructs that break tools are as frequent as plain text. */
const words = fc.constantFrom(
  'Hello', 'world', 'a sentence.', 'Caf&eacute;', 'R&D', 'a &amp; b', '1 &lt; 2', '&nbsp;', '&copy 2024', 'x < y', '&#233;t&#xE9;',
  '😀', '&unknown;', '"quoted"', "it's", '100%', 'C:\\new', '12', '{{name}}', '{{#if a && b}}', '<%= a > b %>', '%recipient%',
  '*|FNAME|*', '${x}', '{% for i in x %}', '\r\n', '\n   ', ' ', '\t', '</>', '&zwj;', '[[x]]',
); // prettier-ignore
const text = fc.array(words, { minLength: 1, maxLength: 4 }).map((some) => some.join(' '));

const attribute = fc.constantFrom(
  '', ' class=a', ' title="1 > 0"', " alt='Tom &amp; Jerry'", ' href="{{url}}"', ' TITLE = Word', ' data-x="<b>"', ' translate="no"',
  ' translate=yes', ' class="a notranslate"', ' style="white-space: pre"', ' placeholder="Your &quot;name&quot;"', ' aria-label=Close',
  ' <%= attrs %>', ' title',
); // prettier-ignore

const inlineName = fc.constantFrom('b', 'i', 'a', 'span', 'EM', 'code', 'kbd', 'x-tag', 'label', 'font');
const blockName = fc.constantFrom(
  'p',
  'div',
  'li',
  'ul',
  'h1',
  'td',
  'table',
  'tr',
  'pre',
  'button',
  'option',
  'select',
  'dd',
);
const alone = fc.constantFrom(
  '<br>', '<br/>', '<img alt="A picture" src=x>', '<input placeholder="Type here">', '<!-- a <b>comment</b> -->', '<hr>',
  '<!--[if mso]><p>Old</p><![endif]-->', '<![if !mso]>', '<![endif]>', '<script>if (a<b) x("</p>")</script>', '<style>p > b { }</style>',
  '<textarea>\nTwo\nlines</textarea>', '<svg><path d="M0"/></svg>', '<svg><text>Label</text><![CDATA[a & <b>]]></svg>', '<title>A &amp; B</title>',
  '<template><p>Later</p></template>', '<iframe><p>x</iframe>', '<noscript>Turn it on</noscript>', '<?php echo "a > b" ?>', '<wbr>',
  '<meta name=description content="A page">',
); // prettier-ignore
const damage = fc.constantFrom(
  '</b>',
  '</p>',
  '<b>',
  '<p>',
  '<li>',
  '<i',
  '</div>',
  '<a href=',
  '<td>',
  '</table>',
  '<!--',
  '<',
  '&',
);

const { inner } = fc.letrec<{ inner: string; inline: string; block: string }>((tie) => ({
  inner: fc
    .array(
      fc.oneof(
        { weight: 5, arbitrary: text },
        { weight: 3, arbitrary: tie('inline') },
        { weight: 2, arbitrary: tie('block') },
        { weight: 2, arbitrary: alone },
        { weight: 1, arbitrary: damage },
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join('')),
  inline: fc
    .tuple(inlineName, attribute, tie('inner'))
    .map(([name, attributes, content]) => `<${name}${attributes}>${content}</${name}>`),
  block: fc
    .tuple(blockName, attribute, tie('inner'), fc.boolean())
    .map(
      ([name, attributes, content, closed]) =>
        `<${name}${attributes}>${content}${closed ? `</${name}>` : ''}`,
    ),
}));

export const page: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('', '<!DOCTYPE html>\r\n<html lang=en><body>', '<html translate=no>'), inner, inner)
  .map((parts) => parts.join(''));
