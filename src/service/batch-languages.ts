import { detectLanguage, detectTexts, type Detection } from '../languages/detection.ts';
import { scriptOf } from '../languages/locale.ts';

/** With less confidence, a short text is assumed to have the language of its neighbours. */
const SURE = 0.5;

/** A long enough text with this confidence is judged alone; shorter texts are often misdetected. */
const VERY_SURE = 0.9;
const LONG = 40;

/** In batches of at least this many texts, the common language applies to every text that does not stand out. */
const FEW = 5;

/** A language with at least this share of the letters is not a misdetection of single texts. */
const OWN_SHARE = 0.25;

/** This many texts, spread over all, are enough to detect the language of the rest. */
const MOST_SAMPLES = 200;

/** Letters used per text, so that a long text does not outweigh the others. */
const MOST_LETTERS = 100;

/** The language of many texts together. */
interface BatchSurroundings {
  readonly language: string | undefined;
  /** Whether most texts, judged separately, seem to be in that language. */
  readonly isMost: boolean;
  /** Languages with too much text to be misdetections. */
  readonly established: ReadonlySet<string>;
}

const known = new WeakMap<readonly string[], Promise<BatchSurroundings>>();

/**
 * The language of each text; undefined if it cannot be detected. Interface strings are too short to be judged
 * separately: they are assumed to share a language, except texts that are in another script, are long and unambiguous,
 * or belong to a larger group.
 *
 * @param around the other texts of their file
 * @throws DragomanError like `detectLanguage`
 */
export async function detectEach(
  texts: readonly string[],
  around: readonly string[] = texts,
): Promise<readonly (string | undefined)[]> {
  const others = around.length > 1 ? await surroundingsOf(around) : undefined;
  const languages = new Map<string, string | undefined>();
  for (const text of new Set(texts)) languages.set(text, choose(text, await detectLanguage(text), others));
  return texts.map((text) => languages.get(text));
}

function choose(text: string, own: Detection, others: BatchSurroundings | undefined): string | undefined {
  if (others?.language === undefined || own.language === others.language) return own.language;
  if (own.language === undefined || own.confidence < SURE) return others.language;
  if (!others.isMost || others.established.has(own.language)) return own.language;
  if (scriptOf(own.language) !== scriptOf(others.language)) return own.language;
  return own.confidence >= VERY_SURE && lettersIn(text) >= LONG ? own.language : others.language;
}

/** Cached, because a file is sent in many batches. */
function surroundingsOf(texts: readonly string[]): Promise<BatchSurroundings> {
  const found = known.get(texts) ?? lookAround(texts);
  known.set(texts, found);
  return found;
}

async function lookAround(texts: readonly string[]): Promise<BatchSurroundings> {
  const { language } = await detectTexts(texts);
  const stride = Math.max(1, Math.ceil(texts.length / MOST_SAMPLES));
  const weights = new Map<string, number>();
  let total = 0;
  let told = 0;
  for (let i = 0; i < texts.length; i += stride) {
    const text = texts[i] ?? '';
    const own = await detectLanguage(text);
    if (own.language === undefined || own.confidence < SURE) continue;
    const weight = Math.min(MOST_LETTERS, lettersIn(text));
    weights.set(own.language, (weights.get(own.language) ?? 0) + weight);
    total += weight;
    told++;
  }
  const established = [...weights].filter(([, weight]) => weight >= total * OWN_SHARE).map(([code]) => code);
  const isMost = told >= FEW && (weights.get(language ?? '') ?? 0) > total / 2;
  return { language, isMost, established: new Set(established) };
}

function lettersIn(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}
