/** Elements that end a sentence. All others, including unknown ones, are inline, as in CSS. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'html head body title base link meta style script noscript template frame frameset noframes ' +
    'address article aside blockquote button caption center col colgroup dd details dialog dir div dl dt fieldset ' +
    'figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr iframe label legend li listing main marquee ' +
    'menu nav object ol optgroup option p plaintext pre search section select summary table tbody td textarea ' +
    'tfoot th thead tr ul xmp audio canvas video'
  ).split(' '),
);

/** In SVG text, any element except these begins a new text. */
const SVG_INLINE: ReadonlySet<string> = new Set(['a', 'tspan', 'textpath']);

const VOID: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/**
 * Elements whose content is never text of the page, even with `translate`: programs, style sheets, markup read as text.
 */
const RAW: ReadonlySet<string> = new Set(
  'script style iframe noembed noframes xmp plaintext math'.split(' '),
);

/** Not translated without `translate="yes"`: text for machines, templates of scripts, pronunciation. */
const CODE: ReadonlySet<string> = new Set('code kbd samp var template rt rtc rp'.split(' '));

const PRESERVED: ReadonlySet<string> = new Set('pre textarea listing'.split(' '));

export function isBlock(name: string): boolean {
  return BLOCKS.has(name);
}

export function isSvgInline(name: string): boolean {
  return SVG_INLINE.has(name.toLowerCase());
}

export function isVoid(name: string): boolean {
  return VOID.has(name);
}

/** How an element's text is treated. */
export interface TextRules {
  /** Whether the text is for people and may be translated. */
  readonly translated: boolean;
  /** Whether nothing inside can turn translation on. */
  readonly raw: boolean;
  /** Whether white space is significant. */
  readonly preserved: boolean;
}

export const TOP_RULES: TextRules = { translated: true, raw: false, preserved: false };

interface Attribute {
  readonly name: string;
  readonly value: string;
}

/** The rules inside an element, derived from those around it. */
export function rulesOf(name: string, attributes: readonly Attribute[], around: TextRules): TextRules {
  const raw = around.raw || RAW.has(name);
  const preserved = preservedBy(name, attributes) ?? around.preserved;
  const own = raw ? false : translateOf(attributes);
  const translated = own ?? (around.translated && !CODE.has(name));
  const isSame = raw === around.raw && preserved === around.preserved && translated === around.translated;
  return isSame ? around : { translated, raw, preserved };
}

function translateOf(attributes: readonly Attribute[]): boolean | undefined {
  let own: boolean | undefined;
  for (const { name, value } of attributes) {
    if (name === 'class' && /(?:^|\s)notranslate(?:\s|$)/i.test(value)) return false;
    if (name !== 'translate') continue;
    if (/^(?:yes)?$/i.test(value)) own = true;
    else if (/^no$/i.test(value)) own = false;
  }
  return own;
}

function preservedBy(name: string, attributes: readonly Attribute[]): boolean | undefined {
  const style = attributes.find((attribute) => attribute.name === 'style')?.value;
  const space =
    style === undefined ? undefined : /(?:^|;)\s*white-space\s*:\s*([a-z-]{1,20})/i.exec(style)?.[1];
  if (space !== undefined) return /^(?:pre|break-spaces)/i.test(space);
  return PRESERVED.has(name) ? true : undefined;
}
