import * as fc from 'fast-check';

/** Random XML documents of every dialect, with every notation that the format supports. */

const join = (parts: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.array(parts, { minLength: 1, maxLength }).map((all) => all.join(''));

const shared = fc.constantFrom(
  'word',
  'Two words',
  ' ',
  '\n      ',
  '&amp;',
  '&lt;b>',
  '&gt;',
  '&#8230;',
  '&#x1F600;',
  '&quot;',
  '&apos;',
  '%1$s',
  '{0}',
  'é',
  '😀',
  '\t',
  '&#13;',
  ']]',
);

const androidOnly = fc.constantFrom(
  "\\'",
  '\\"',
  '"',
  '\\n',
  '\\t',
  '\\u2026',
  '\\u0020',
  '\\u00',
  '\\@',
  '@',
  '?',
  '\\\\',
  '\\q',
  '\\ ',
  '   ',
  '&#92;n',
  '&#32;',
  '\\&quot;',
);

const cdata = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  text.map((raw) => `<![CDATA[${raw.replaceAll(']]', '')}<b>&amp;</b>]]>`);

/** Content with tags, comments and entities; `extra` is the dialect's addition to text. */
function markup(extra: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const text = join(fc.oneof(shared, extra), 3);
  const inline = fc.oneof(
    text,
    text.map((inner) => `<b>${inner}</b>`),
    text.map((inner) => `<a href="https://example.com/?a=1&amp;b='2'">${inner}</a>`),
    text.map((inner) => `<i\n  class='x'>deep <b>${inner}</b></i >`),
    fc.constantFrom(
      '<br/>',
      '<!-- c & < -->',
      '<?pi x?>',
      '<![CDATA[ <raw> ]]>',
      '<xliff:g id="n">%s</xliff:g>',
    ),
    fc.constantFrom('&APP;', 'tail <xliff:g id="a" example="b">x</xliff:g>  y'),
  );
  return join(inline, 4).map((content) => `text ${content}`);
}

/** New values that are XML source, some without a tag, some not well-formed. */
export const markupValues = fc.oneof(
  markup(androidOnly).map((content) => content.slice(5)),
  markup(shared),
  join(fc.oneof(shared, androidOnly), 5),
  fc.constantFrom(
    '<b>open',
    '&NONE;',
    'a & b',
    '</_><_>',
    '<x:y/>',
    '<b>x</b>',
    ' <b> x </b> ',
    '&#64;a<br/>',
    ']]>',
  ),
);

const androidText = join(fc.oneof(shared, androidOnly), 6);
const androidValue = fc.oneof(
  androidText,
  androidText.map((text) => `"${text}"`),
  androidText.map((text) => `\n        ${text}\n    `),
  cdata(androidText),
  cdata(androidText).map((section) => `\n      ${section}\n   `),
  markup(androidOnly),
  markup(androidOnly).map((content) => `"${content}"`),
  fc.constantFrom('', ' ', '@string/other', '?attr/color', 'a <![CDATA[mixed]]> b'),
);

const androidResource = fc.oneof(
  androidValue.map((value) => (name: string) => `<string name="${name}">${value}</string>`),
  fc.constant((name: string) => `<string name="${name}" translatable="false">no</string>`),
  fc.constant((name: string) => `<color name="${name}">#fff</color>`),
  fc.constant(
    (name: string) => `<!-- note --><string name="${name}" product='tablet'>noted</string> <!-- tail -->`,
  ),
  fc.tuple(androidValue, androidValue).map(
    ([one, other]) =>
      (name: string) =>
        `<plurals name="${name}">\n    <item quantity="one">${one}</item>\n    <item quantity="other">${other}</item>\n  </plurals>`,
  ),
  fc
    .array(androidValue, { maxLength: 3 })
    .map(
      (items) => (name: string) =>
        `<string-array name="${name}">${items.map((item) => `<item>${item}</item>`).join('')}</string-array>`,
    ),
);

const DOCTYPE = '<!DOCTYPE x [\n  <!-- e -->\n  <!ENTITY APP "My &#65;pp">\n  <!ENTITY % p "q">\n]>\n';
const NAMESPACES = 'xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2"';

function inLineEnds(document: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(document, fc.constantFrom('\n', '\r\n'))
    .map(([text, lineEnd]) => text.replaceAll('\n', lineEnd));
}

function documentOf(root: string, entries: fc.Arbitrary<readonly string[]>): fc.Arbitrary<string> {
  return inLineEnds(
    fc
      .tuple(
        entries,
        fc.constantFrom('', '<?xml version="1.0" encoding="utf-8"?>\n'),
        fc.constantFrom('', '\n'),
      )
      .map(
        ([parts, prolog, end]) =>
          `${prolog}${DOCTYPE}<${root} ${NAMESPACES}>\n  ${parts.join('\n  ')}\n</${root}>${end}`,
      ),
  );
}

export const androidDocuments = documentOf(
  'resources',
  fc
    .array(androidResource, { minLength: 1, maxLength: 6 })
    .map((resources) => resources.map((write, index) => write(`name_${index}`))),
);

const exactValue = fc.oneof(
  join(shared, 5).map((text) => `x${text}`),
  cdata(join(shared, 3)),
  markup(shared),
);

export const resxDocuments = documentOf(
  'root',
  fc
    .array(fc.oneof(exactValue, fc.constantFrom('', ' ')), { minLength: 1, maxLength: 5 })
    .map((values) =>
      values.map(
        (value, index) =>
          `<data name="k.${index}" xml:space="preserve">\n    <value>${value}</value>\n    <comment>c</comment>\n  </data>`,
      ),
    ),
);

export const javaDocuments = documentOf(
  'properties',
  fc
    .array(fc.oneof(exactValue, fc.constantFrom('', ' ')), { minLength: 1, maxLength: 5 })
    .map((values) => values.map((value, index) => `<entry key="k.${index}">${value}</entry>`)),
);

export const genericDocuments = documentOf(
  'doc',
  fc
    .array(
      fc.oneof(
        exactValue.map((value) => `<p>${value}</p>`),
        exactValue.map((value) => `<section id="s"><title>${value}</title><empty/></section>`),
        exactValue.map((value) => `<v xml:lang="en">${value}</v><v xml:lang="fr">non</v>`),
        fc.constantFrom('<config value="1"/>', '<p translate="no">code</p>', '<!-- c -->', '<p> </p>'),
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((parts) => parts.map((part, index) => part.replace('id="s"', `id="s${index}"`))),
);

export const anyDocuments = fc.oneof(androidDocuments, resxDocuments, javaDocuments, genericDocuments);
