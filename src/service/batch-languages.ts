import { detectLanguage, detectTexts, type Detection } from '../languages/detection.ts';
import { scriptOf } from '../languages/locale.ts';

/** Less sure than this, a text of few words is better taken for what the texts beside it are in. */
const SURE = 0.5;

/** So sure, and so long, a text stands out among others: shorter ones are taken for a neighbour's language too often. */
const VERY_SURE = 0.9;
const LONG = 40;

/** From so many texts on, their language is that of each of them unless it stands out. */
const FEW = 5;

/** A language with such a part of the letters is no mistake about single texts. */
const OWN_SHARE = 0.25;

/** This many texts, spread over all, are enough to detect the language of the rest. */
const MOST_SAMPLES = 200;

/** One long text is no more than one. */
const MOST_LETTERS = 100;

/** What many texts together are in. */
interface BatchSurroundings {
  readonly language: string | undefined;
  /** Whether that is what most of them, each for itself, seem to be in. */
  readonly isMost: boolean;
  /** Languages of which there is enough not to be mistakes. */
  readonly established: ReadonlySet<string>;
}

const known = new WeakMap<readonly string[], Promise<BatchSurroundings>>();

/**
 * The language of each text; undefined if it cannot be detected. Interface strings are too short to be judged singly:
 * many texts are taken to be in one language, and a text to be in another one only where it is written in another
 * script, is long and sure, or has others with it.
 *
 * @param around the texts of the file that these ones are from
 * @throws DragomanError as `detectLanguage`.
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

/** Remembered: a file comes in many batches. */
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
