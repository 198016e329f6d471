/** Characters only one of the writing systems has: its national character set holds them, the others' do not. */
interface HanSets {
  readonly simplified: ReadonlySet<string>;
  readonly traditional: ReadonlySet<string>;
  readonly japanese: ReadonlySet<string>;
}

/** Every ideograph that `encoding` has between two codes, read row by row from the tables of the platform. */
function ideographs(encoding: string, first: number, last: number): Set<string> {
  const bytes: number[] = [];
  for (let lead = first >> 8; lead <= last >> 8; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const code = lead * 256 + trail;
      if (code >= first && code <= last) bytes.push(lead, trail, 0x0a);
    }
  }
  const text = new TextDecoder(encoding).decode(new Uint8Array(bytes));
  return new Set(text.match(/\p{Script=Han}/gu));
}

/** What is in one set and in none of the others. */
function only(own: ReadonlySet<string>, ...others: readonly ReadonlySet<string>[]): Set<string> {
  return new Set([...own].filter((han) => !others.some((other) => other.has(han))));
}

let sets: HanSets | undefined;

function hanSets(): HanSets {
  if (sets) return sets;
  // The two levels of GB 2312, Big5 and JIS X 0208: later additions to each brought in the others' characters.
  // The trail bytes of the first and third begin at A1; GBK filled the lower half with traditional characters.
  const gb = new Set<string>();
  const jis = new Set<string>();
  for (let lead = 0xb0; lead <= 0xf7; lead++) {
    for (const han of ideographs('gbk', lead * 256 + 0xa1, lead * 256 + 0xfe)) gb.add(han);
    if (lead > 0xf4) continue;
    for (const han of ideographs('euc-jp', lead * 256 + 0xa1, lead * 256 + 0xfe)) jis.add(han);
  }
  const big5 = new Set([...ideographs('big5', 0xa440, 0xc67e), ...ideographs('big5', 0xc940, 0xf9d5)]);
  sets = { simplified: only(gb, big5), traditional: only(big5, gb), japanese: only(jis, gb, big5) };
  return sets;
}

/** Chinese (`zh-CN`, `zh-TW`) or Japanese, and how sure (0 to 1) that is. */
export interface HanFinding {
  readonly language: 'zh-CN' | 'zh-TW' | 'ja';
  readonly confidence: number;
}

/** What a text of ideographs and kana is. Without a telling character it is simplified Chinese, half sure. */
export function tellHan(words: string): HanFinding {
  const kana = words.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  let han = 0;
  let simplified = 0;
  let traditional = 0;
  let japanese = 0;
  const { simplified: s, traditional: t, japanese: j } = hanSets();
  for (const [sign] of words.matchAll(/\p{Script=Han}/gu)) {
    han++;
    if (s.has(sign)) simplified++;
    else if (t.has(sign)) traditional++;
    else if (j.has(sign)) japanese++;
  }
  // A quoted name or a decorative の does not make a Chinese text Japanese.
  if (kana * 10 >= kana + han) return { language: 'ja', confidence: 1 };
  if (japanese * 10 >= han) return { language: 'ja', confidence: 0.8 };
  const telling = simplified + traditional;
  if (telling === 0) return { language: 'zh-CN', confidence: 0.5 };
  return simplified >= traditional
    ? { language: 'zh-CN', confidence: simplified / telling }
    : { language: 'zh-TW', confidence: traditional / telling };
}
