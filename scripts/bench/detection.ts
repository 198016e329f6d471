import { loadModule } from 'cld3-asm';
import { eld } from 'eld/small';
import { detectLanguage, detectTexts } from '../../src/languages/detection.ts';
import { languageOf, parseLocale, sameLanguage } from '../../src/languages/locale.ts';
import { detectEach } from '../../src/service/batch-languages.ts';
import { Cuts, readDeclarations, type Declaration } from './declarations.ts';
import { benchDetectionUnits } from './detection-units.ts';
import interfaceStrings from './interface-strings.json' with { type: 'json' };
import { interleave, median, printRow } from './measure.ts';

/** The language of a text, according to one of the compared detectors. */
type Detector = (text: string) => string | undefined | Promise<string | undefined>;
type Detectors = Readonly<Record<string, Detector>>;

const LENGTHS = [10, 20, 40, 80, 160, 320];
const TEXTS = 50;
const SEED = 20_260_101;
/** The text length for which the languages with the lowest accuracy, in percent, are listed. */
const LISTED_LENGTH = 80;
const LISTED_BELOW = 90;
const RATE_TEXTS = 2_000;
const RATE_RUNS = 5;
const MOST_MS = 0.4;

/**
 * Written standards that differ in few words, so that most short texts are valid in all of them: confusing
 * them counts as wrong in the main figure, and as right in a separate figure. `no` and `nb` always count as the
 * same.
 */
const STANDARDS: Readonly<Record<string, string>> = { bs: 'hr', ms: 'id', nn: 'no', nb: 'no' };

/** The accuracy of detection: by length of the text, and by the whole file for interface strings. */
export async function benchDetection(): Promise<void> {
  const cld = (await loadModule({ timeout: 10_000 })).create(0, 4_000);
  const detectors: Detectors = {
    dragoman: async (text) => (await detectLanguage(text)).language,
    'eld alone': (text) => parseLocale(eld.detect(text).language),
    'cld3 alone': (text) => parseLocale(cld.findLanguage(text).language),
  };
  try {
    const declarations = readDeclarations();
    const results: Result[] = [];
    for (const declaration of declarations) results.push(await tryDeclaration(declaration, detectors));
    await benchDetectionUnits(declarations);
    printAccuracy(results, Object.keys(detectors));
    printWorst(results);
    await printInterface(detectors);
    await printRates(declarations, detectors);
  } finally {
    cld.dispose();
  }
}

/** The other two detectors do not distinguish the scripts of Chinese, so Chinese is the right answer for them. */
function isRight(found: string | undefined, language: string): boolean {
  if (found === undefined) return false;
  return sameLanguage(found, language) || (found === 'zh' && languageOf(language) === 'zh');
}

const isStandardOf = (found: string | undefined, language: string): boolean =>
  isRight(found, language) ||
  (found !== undefined && (STANDARDS[found] ?? found) === (STANDARDS[language] ?? language));

interface Result {
  readonly language: string;
  /** Each detector's answer, by its name and the length of the texts. */
  readonly answers: ReadonlyMap<string, readonly (string | undefined)[]>;
}

const cell = (name: string, length: number): string => `${name} ${length}`;

async function tryDeclaration(declaration: Declaration, detectors: Detectors): Promise<Result> {
  const answers = new Map<string, (string | undefined)[]>();
  for (const length of LENGTHS) {
    const cuts = new Cuts(declaration, SEED + length);
    const texts = Array.from({ length: TEXTS }, () => cuts.next(length));
    for (const [name, detect] of Object.entries(detectors)) {
      const found: (string | undefined)[] = [];
      for (const text of texts) found.push(await detect(text));
      answers.set(cell(name, length), found);
    }
  }
  return { language: declaration.language, answers };
}

type Judge = typeof isRight;

/** In percent of the texts; every language counts equally. */
function accuracy(results: readonly Result[], name: string, length: number, judge: Judge = isRight): number {
  let right = 0;
  for (const { language, answers } of results)
    right += (answers.get(cell(name, length)) ?? []).filter((found) => judge(found, language)).length;
  return (100 * right) / (results.length * TEXTS);
}

function printAccuracy(results: readonly Result[], names: readonly string[]): void {
  const own = new Set(Object.values(eld.info().Languages).map((code) => parseLocale(code) ?? code));
  const [first = ''] = names;
  const longest = LENGTHS.at(-1) ?? 0;
  const told = results.filter((result) => names.some((name) => accuracy([result], name, longest) > 0));
  const common = told.filter(({ language }) => own.has(language) || isStandardOf('no', language));
  const row = (what: string, figures: readonly number[], aim?: Parameters<typeof printRow>[2]): void =>
    printRow(`detection  ${what}`, figures.map((figure) => figure.toFixed(1).padStart(6)).join(''), aim);
  const groups = [
    [`${common.length} languages that eld supports`, common],
    [`${told.length} languages that at least one detects`, told],
    [`${results.length} languages of the catalogue`, results],
  ] as const;
  printRow('detection  % right, by length in characters', LENGTHS.map((n) => String(n).padStart(6)).join(''));
  for (const [what, group] of groups) {
    const of = (name: string, judge?: Judge): readonly number[] =>
      LENGTHS.map((length) => accuracy(group, name, length, judge));
    const others = names.slice(1).map((name) => of(name));
    const met = of(first).every((figure, i) => others.every((figures) => figure >= (figures[i] ?? 0)));
    row(what, of(first), { text: '>= each alone', met });
    row('  bs = hr, id = ms, nb = nn', of(first, isStandardOf));
    for (const [i, figures] of others.entries()) row(`  ${names[i + 1]}`, figures);
  }
}

function printWorst(results: readonly Result[]): void {
  const judged = results.map(({ language, answers }) => {
    const found = answers.get(cell('dragoman', LISTED_LENGTH)) ?? [];
    const counts = new Map<string, number>();
    for (const code of found) {
      if (!isRight(code, language)) counts.set(code ?? 'none', (counts.get(code ?? 'none') ?? 0) + 1);
    }
    const wrong = [...counts].sort(([, a], [, b]) => b - a);
    return { language, percent: accuracy([{ language, answers }], 'dragoman', LISTED_LENGTH), wrong };
  });
  const share = (count: number): string => ((100 * count) / TEXTS).toFixed(0);
  const badly = judged.filter(({ percent }) => percent > 0 && percent < LISTED_BELOW);
  for (const { language, percent, wrong } of badly.sort((a, b) => a.percent - b.percent)) {
    const most = wrong.slice(0, 3).map(([code, count]) => `${code} ${share(count)}`);
    const what = `detection  ${language} at ${LISTED_LENGTH} characters`;
    printRow(what, `${percent.toFixed(0).padStart(5)} %, mistaken for ${most.join(', ')}`);
  }
  const never = judged.filter(({ percent }) => percent === 0);
  const list = never.map(({ language, wrong: [most] }) => `${language} (${most?.[0] ?? 'none'})`).join(', ');
  printRow(`detection  ${never.length} never detected, mostly mistaken for`, list);
}

/** Files with this many strings, from all strings of a language. */
const FILE_SIZES = [2, 3, 5, 10];

async function printInterface(detectors: Detectors): Promise<void> {
  const files = Object.entries(interfaceStrings);
  const strings = files.flatMap(([language, texts]) => texts.map((text) => ({ language, text })));
  const what = `${strings.length} interface strings in ${files.length} languages`;
  for (const [name, detect] of Object.entries(detectors)) {
    let right = 0;
    for (const { language, text } of strings) if (isRight(await detect(text), language)) right++;
    printRow(`detection  ${what}`, `${percent(right, strings.length)} string by string, ${name}`);
  }
  let together = 0;
  for (const [language, texts] of files) {
    together += (await detectEach(texts)).filter((found) => isRight(found, language)).length;
  }
  printRow(`detection  ${what}`, `${percent(together, strings.length)} as a batch`);
  for (const size of FILE_SIZES) {
    let right = 0;
    let total = 0;
    for (const [language, texts] of files) {
      // Every string occurs in the same number of files.
      for (let start = 0; start < texts.length; start++) {
        const file = Array.from({ length: size }, (_, i) => texts[(start + i * 7) % texts.length] ?? '');
        if (isRight((await detectTexts(file)).language, language)) right++;
        total++;
      }
    }
    printRow(`detection  files of ${size} of them`, percent(right, total));
  }
  let whole = 0;
  for (const [language, texts] of files) if (isRight((await detectTexts(texts)).language, language)) whole++;
  const aim = { text: '100 %', met: whole === files.length };
  printRow('detection  whole files', percent(whole, files.length), aim);
}

const percent = (part: number, of: number): string => `${((100 * part) / of).toFixed(1).padStart(6)} %`;

async function printRates(declarations: readonly Declaration[], detectors: Detectors): Promise<void> {
  const cuts = declarations.map((declaration) => new Cuts(declaration, SEED));
  const texts = Array.from(
    { length: RATE_TEXTS },
    (_, i) => cuts[i % cuts.length]?.next(LISTED_LENGTH) ?? '',
  );
  const names = Object.keys(detectors);
  // Processor time, which excludes other programs on the machine.
  const runs = Object.values(detectors).map((detect) => async (): Promise<number> => {
    const before = process.cpuUsage();
    for (const text of texts) await detect(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  const times = (await interleave(RATE_RUNS, runs)).map(median);
  for (const [i, time] of times.entries()) {
    const each = time / RATE_TEXTS;
    const rate = `${each.toFixed(3)} ms of processor time for a text of ${LISTED_LENGTH} characters`;
    const aim = { text: `<= ${MOST_MS} ms`, met: each <= MOST_MS };
    printRow(`detection  ${names[i]}`, rate, i === 0 ? aim : undefined);
  }
}
