import { commonLanguages } from './common-words.ts';
import { detectHan, detectByLetters, distinguishByWords } from './distinctive-signs.ts';
import type { Detectors } from './detectors.ts';
import { sampleText, sampleTexts } from './sample.ts';
import { detectByFunctionWords } from './function-words.ts';
import { findScript } from './script.ts';
import type { SharedScript } from './script.ts';

/** What language a text is in. */
export interface Detection {
  /** A canonical code of the catalog; undefined when it cannot be detected, as in a text without letters. */
  readonly language: string | undefined;
  /** 0 to 1; 0 when undetermined. Not a probability, but larger is surer. */
  readonly confidence: number;
}

const undetermined: Detection = { language: undefined, confidence: 0 };

/** With fewer letters than this, n-grams are half a guess. */
const fewLetters = 12;

let detectors: Promise<Detectors> | undefined;

/** Loaded when first needed: texts that are decided without the detectors do not pay for them. */
function openDetectors(): Promise<Detectors> {
  detectors ??= import('./detectors.ts').then(({ loadDetectors }) => loadDetectors());
  return detectors;
}

/**
 * Loads what {@link detectLanguage} needs for some texts only, so that none of them waits for it.
 *
 * @throws DragomanError as {@link detectLanguage}
 */
export async function loadDetection(): Promise<void> {
  await openDetectors();
}

/** Every window votes with its confidence, by its length. */
async function vote(windows: readonly string[], script: string): Promise<Detection> {
  const { guess } = await openDetectors();
  const votes = new Map<string, number>();
  let total = 0;
  for (const window of windows) {
    total += window.length;
    const found = guess(window, script);
    if (found) votes.set(found.language, (votes.get(found.language) ?? 0) + found.confidence * window.length);
  }
  const [winner] = [...votes].sort(([, a], [, b]) => b - a);
  if (!winner) return undetermined;
  return { language: winner[0], confidence: (winner[1] / total) * Math.min(1, total / fewLetters) };
}

function distinguish({ language, confidence }: Detection, words: string): Detection {
  return { language: language && distinguishByWords(language, words), confidence };
}

/** A text in a script of many languages. */
async function detectAmong(words: string, script: SharedScript): Promise<Detection> {
  if (script === 'Hani') return detectHan(words);
  const byLetters = detectByLetters(words, script);
  if (byLetters !== undefined) return { language: byLetters, confidence: 0.9 };
  const byWords = script === 'Latn' ? detectByFunctionWords(words) : undefined;
  if (byWords !== undefined) return { language: byWords, confidence: 0.8 };
  const windows = words.split('\n').map((window) => window.replace(/ +/g, ' ').trim());
  const common = commonLanguages(windows.join(' '));
  const [likeliest] = common;
  if (likeliest !== undefined && common.length === 1) return { language: likeliest, confidence: 0.9 };
  const detection = distinguish(await vote(windows, script), words);
  if (likeliest === undefined || common.includes(detection.language ?? '')) return detection;
  return { language: likeliest, confidence: 0.5 };
}

/**
 * The language of windows that `sampleText` or `sampleTexts` took: where the texts themselves are elsewhere.
 *
 * @throws DragomanError as {@link detectLanguage}
 */
export async function detectWindows(windows: readonly string[]): Promise<Detection> {
  const finding = findScript(windows.join('\n'));
  if (finding?.language !== undefined) return { language: finding.language, confidence: finding.share };
  if (finding?.script === undefined) return undetermined;
  const { language, confidence } = await detectAmong(finding.words, finding.script);
  return { language, confidence: confidence * finding.share };
}

/**
 * The language of one text. A long one is judged by 20,000 characters spread over it. Callers should remove
 * placeholders and markup first.
 *
 * @throws DragomanError `internal` when the detectors' packages cannot be loaded.
 */
export async function detectLanguage(text: string): Promise<Detection> {
  return detectWindows(sampleText(text));
}

/**
 * The language of a file's values together: interface strings are too short to be judged one by one.
 *
 * @throws DragomanError as {@link detectLanguage}
 */
export async function detectTexts(texts: readonly string[]): Promise<Detection> {
  return detectWindows(sampleTexts(texts));
}
