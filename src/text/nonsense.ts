import { decodeWords, type TaggedText } from './tagged.ts';

/**
 * Detects answers that cannot be translations, from the text and its answer alone: models add their own words, which
 * pass every placeholder check. The limits were tuned on 68,000 human translations.
 */

/** Pairs of quotation marks around a whole text. */
const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
  '»': '«',
  '‹': '›',
  '「': '」',
  '『': '』',
};

const FENCE = /^(`{3,}|~{3,})(?:[^\n`]*\n|[ \t]*)([\s\S]*?)\s*\1$/;
const EMPHASIS = /^(\*\*|__)((?:(?!\1)[\s\S])+)\1$/;
const HEADING = /^#{1,6} +(?=\S)/;

/** Removes wrapping that only the model can have added: quotes, a code fence, emphasis or a heading marker. */
export function unwrapAnswer(source: TaggedText, answer: TaggedText): TaggedText {
  const text = answer.trim();
  const bare = source.trim();
  const fenced = bare.includes('```') || bare.includes('~~~') ? undefined : FENCE.exec(text)?.[2];
  if (fenced !== undefined) return unwrapAnswer(source, fenced);
  const emphasized = /^(?:\*\*|__)/.test(bare) ? undefined : EMPHASIS.exec(text)?.[2];
  if (emphasized !== undefined) return unwrapAnswer(source, emphasized);
  if (!bare.startsWith('#') && HEADING.test(text)) return unwrapAnswer(source, text.replace(HEADING, ''));
  const open = text.charAt(0);
  const close = Object.hasOwn(QUOTES, open) ? QUOTES[open] : undefined;
  if (close === undefined || text.length < 3 || !text.endsWith(close) || isQuoted(bare)) return answer;
  const inner = text.slice(1, -1);
  const words = inner.replace(TAG, '');
  const isPair = !words.includes(open) && !words.includes(close) && inner.trim() !== '';
  return isPair ? inner : answer;
}

const TAG = /<[^>]*>/g;

/** Whether a text begins or ends with any quotation mark. */
function isQuoted(text: string): boolean {
  return /^["'`“”„‘’«»‹›「」『』]|["'`“”„‘’«»‹›「」『』]$/.test(text.replace(TAG, '').trim());
}

/** Words for "translation" in the languages that models answer in. */
const TRANSLATION =
  'translat|[üu]bersetz|traduc|traduç|traduz|traduzion|vertaal|vertaling|перев[оеё]д|переклад|превод|tłumacz|přeloz|překlad|oversætt|oversett|översätt|çevir|terjemah|dịch|翻译|翻譯|翻訳|訳|번역|ترجم|תרגו|अनुवाद|แปล|μετάφρασ|fordít|käänn|tradu';
const PREFACE = new RegExp(String.raw`^[^\n:：]{0,80}(?:${TRANSLATION})[^\n:：]{0,60}[:：]`, 'iu');
const ABOUT = new RegExp(TRANSLATION, 'iu');
const OBLIGING = /^(?:sure|certainly|of course|gladly|absolutely)[!,.] /i;
const NOTE =
  /[([（［]\s*(?:(?:translator['’]s )?notes?|nota|hinweis|anmerkung|remarque|note du|примечание|заметка|注|註|备注|備註|訳注|참고|ملاحظة|הערה)\s*[:：]/iu;
const NOTE_LINE =
  /\n\s*(?:notes?|nota|hinweis|anmerkung|remarque|примечание|注意?|备注|訳注|참고|explanation|erklärung)\s*[:：]/iu;

/** Phrases with which models decline a request: they refer to themselves and the request. */
const REFUSAL = [
  String.raw`\b(?:as|i am|i['’]m) an? (?:ai|language model|assistant)\b`,
  String.raw`\b(?:i(?:['’]m| am)? (?:sorry|unable|not able|afraid)|i apologi[sz]e|sorry, (?:but )?i)\b[^\n]{0,60}\b(?:can(?:no|['’])t|unable|not able|translat|assist|help|provide|comply|fulfil)`,
  String.raw`\bi (?:can(?:not|['’]t)|am unable to|won['’]t|will not) (?:translate|assist|help with|provide|comply|fulfil)`,
  String.raw`\b(?:please provide|i need|could you provide)\b[^\n]{0,40}\b(?:text|context|information|content)\b[^\n]{0,40}\btranslat`,
  String.raw`\b(?:tut mir leid|entschuldigung)\b[^\n]{0,80}\b(?:übersetz|helfen|text|anfrage)`,
  String.raw`\bich kann\b[^\n]{0,60}\bnicht (?:übersetzen|helfen|beantworten)`,
  String.raw`\b(?:je suis désolé|désolé)\b[^\n]{0,80}\b(?:traduire|aider|texte|demande)`,
  String.raw`\bje ne peux pas (?:traduire|vous aider|répondre)`,
  String.raw`\blo siento\b[^\n]{0,80}\b(?:traducir|ayudar|texto|solicitud)`,
  String.raw`\bno puedo (?:traducir|ayudar|cumplir)`,
  String.raw`\b(?:desculpe|sinto muito|lamento)\b[^\n]{0,80}(?:traduzir|ajudar|texto|pedido)`,
  String.raw`\bmi dispiace\b[^\n]{0,80}(?:tradurre|aiutar|testo|richiesta)`,
  String.raw`\bhet spijt me\b[^\n]{0,80}(?:vertalen|helpen|tekst)|\bik kan\b[^\n]{0,40} niet (?:vertalen|helpen)`,
  String.raw`(?:przykro mi|przepraszam)[^\n]{0,80}(?:przetłumacz|pomóc|tekst)|nie mogę (?:przetłumaczyć|pomóc)`,
  String.raw`(?:omlouvám se|je mi líto)[^\n]{0,80}(?:přelož|pomoci|text)|nemohu (?:přeložit|pomoci)`,
  String.raw`üzgünüm[^\n]{0,80}(?:çevir|yardım|metn|metin)|(?:çeviremem|çeviremiyorum)`,
  '(?:извините|к сожалению)[^\\n]{0,80}(?:перевести|помочь|текст|запрос)|не могу (?:перевести|помочь с)',
  '(?:вибачте|на жаль)[^\\n]{0,80}(?:перекласти|допомогти)|не можу (?:перекласти|допомогти)',
  '(?:عذر|آسف|أعتذر)[^\\n]{0,60}(?:ترجم|مساعد)|لا (?:يمكنني|أستطيع) (?:ترجم|مساعد)',
  '(?:抱歉|对不起|對不起)[^\\n]{0,40}(?:翻译|翻譯|帮助|协助|提供)|无法(?:翻译|协助|满足)|無法(?:翻譯|協助)',
  '(?:申し訳|すみません)[^\\n]{0,40}(?:翻訳|お手伝い|対応)|(?:죄송|미안)[^\\n]{0,40}(?:번역|도와|도움)',
];
/** The flag `u` is omitted, because with it V8 takes twenty times as long for `\b` if case is ignored. */
const REFUSALS = new RegExp(REFUSAL.join('|'), 'i');
/** If a text declines something itself, its translation may do so, too. */
const DECLINES =
  /\b(?:sorry|apolog|unable|can(?:no|['’])t|won['’]t|will not|not able|an ai\b|language model|assistant)/i;

/** Characters that carry as much meaning as several letters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const LETTERS_OF_DENSE = 4;
const MOST_TIMES = 4;
const MOST_MORE = 40;

/** The minimum number of words in a sentence, which cannot be equal in two languages. */
const SENTENCE_WORDS = 6;
const PHRASE_WORDS = 2;

interface Expectation {
  /** Whether sentences may stay unchanged, as between variants of one language. Default: no. */
  readonly mayCopy?: boolean | undefined;
}

/** Why an answer cannot be a translation of its source; undefined if it may be one. */
export function nonsenseIn(
  source: TaggedText,
  answer: TaggedText,
  { mayCopy = false }: Expectation = {},
): string | undefined {
  const from = plainWords(source);
  const to = plainWords(answer);
  if (isWrapped(source, answer)) return 'the answer is wrapped in characters that the source lacks';
  if (!source.includes('\n') && breaksSentence(answer.replace(TAG, 'x'), from))
    return 'the answer has a line break that the source lacks';
  const isAbout = PREFACE.test(to) && colonsIn(to) > colonsIn(from) && !ABOUT.test(from);
  if (isAbout || (OBLIGING.test(to) && !OBLIGING.test(from))) return 'the answer talks about the translation';
  if ((NOTE.test(to) || NOTE_LINE.test(to)) && !/\bnote|nota|注/iu.test(from)) return 'the answer has a note';
  if (REFUSALS.test(to) && !DECLINES.test(from)) return 'the answer declines to translate';
  if (weightOf(to) > MOST_TIMES * weightOf(from) + MOST_MORE)
    return 'the answer is far longer than the source';
  if (!mayCopy && from === to && isSentence(from)) return 'the answer repeats the source';
  return undefined;
}

const SENTENCE_END = /[.!?…。！？।؟]["'”’»)）」]?\s*$/u;

/** Whether a line ends inside a sentence of a multi-sentence text. */
function breaksSentence(answer: string, source: string): boolean {
  const lines = answer
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '');
  const hasSeveral = /[.!?…。！？।؟]["'”’»)）」]?\s*\S/u.test(source);
  return lines.length > 1 && !(hasSeveral && lines.slice(0, -1).every((line) => SENTENCE_END.test(line)));
}

function isWrapped(source: TaggedText, answer: TaggedText): boolean {
  return unwrapAnswer(source, answer) !== answer;
}

/** The words of a text without its tags. */
export function plainWords(text: TaggedText): string {
  return decodeWords(text.replace(TAG, '')).trim();
}

function colonsIn(text: string): number {
  return text.match(/[:：]/g)?.length ?? 0;
}

function weightOf(text: string): number {
  return text.length + (LETTERS_OF_DENSE - 1) * (text.match(DENSE)?.length ?? 0);
}

/** Names, formulas and code have few lower-case words. */
function isSentence(text: string): boolean {
  return smallWordsIn(text) >= SENTENCE_WORDS;
}

/** Whether a text has words that are unlikely to be equal in two languages. */
export function isPhrase(text: string): boolean {
  return smallWordsIn(text) >= PHRASE_WORDS;
}

function smallWordsIn(text: string): number {
  return text.match(/(?<![\p{L}\p{N}_./@-])\p{Ll}\p{L}*(?![\p{L}\p{N}_/@-])/gu)?.length ?? 0;
}
