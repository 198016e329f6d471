import { describe, expect, it } from 'vitest';
import { nonsenseIn, unwrapAnswer } from '../../src/text/nonsense.ts';

/** Texts with plausible human translations. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['Save', 'Enregistrer'],
  ['Open the <x id="1">file</x>', 'Ouvrir le <x id="1">fichier</x>'],
  ['Sorry, we cannot help with this request.', 'Désolé, nous ne pouvons pas répondre à cette demande.'],
  ['Translation:', 'Übersetzung:'],
  ['Note: all changes are lost.', 'Hinweis: Alle Änderungen gehen verloren.'],
  ['Type "yes" to go on', 'Geben Sie „ja“ ein'],
  ['"Draft" and "final"', '„Entwurf“ und „endgültig“'],
  ['The "draft" folder', '„Entwurf“ heißt der Ordner „neu“'],
  ['Done. Close the window.', 'Fertig.\nSchließen Sie das Fenster.'],
  ['Of course!', 'Bien sûr !'],
  ['设置', 'Einstellungen des Programms'],
  ['GitHub Actions', 'GitHub Actions'],
  ['Certainly! Go on.', 'Certainly! Weiter.'],
];

/** Damage that models do to a translation, each with the reported reason. */
const DAMAGES: readonly (readonly [string, (translation: string) => string])[] = [
  ['wrapped', (text) => `"${text}"`],
  ['wrapped', (text) => `«${text}»`],
  ['wrapped', (text) => '```text\n' + text + '\n```'],
  ['wrapped', (text) => `**${text}**`],
  ['wrapped', (text) => `## ${text}`],
  ['line break', (text) => `${text}\nof`],
  ['talks about the translation', (text) => `Here is the translation: ${text}`],
  ['talks about the translation', (text) => `Voici la traduction : ${text}`],
  ['talks about the translation', (text) => `翻译：${text}`],
  ['talks about the translation', (text) => `Sure! ${text}`],
  ['note', (text) => `${text} (Note: informal)`],
  ['note', (text) => `${text}（注：非正式）`],
  ['declines', () => "I'm sorry, but I can't assist with that."],
  ['declines', () => 'As an AI language model, I cannot translate this.'],
  ['declines', () => 'Es tut mir leid, ich kann diesen Text nicht übersetzen.'],
  ['declines', () => '抱歉，我无法翻译这段内容。'],
  ['declines', () => 'Please provide the text that you would like me to translate.'],
  ['declines', () => 'I need more context to translate this.'],
  ['declines', () => 'Het spijt me, ik kan deze tekst niet vertalen.'],
  ['declines', () => 'Przykro mi, ale nie mogę przetłumaczyć tego tekstu.'],
  ['declines', () => 'Üzgünüm, bu metni çeviremiyorum.'],
  ['declines', () => 'عذرًا، لا يمكنني ترجمة هذا النص.'],
  ['declines', () => 'На жаль, я не можу перекласти цей текст.'],
  ['far longer', (text) => `${text} `.repeat(30)],
];

describe('an implausible translation', () => {
  it.each(PAIRS)('is not found in a good translation: %j, %j', (source, answer) => {
    expect(nonsenseIn(source, answer)).toBeUndefined();
    expect(unwrapAnswer(source, answer)).toBe(answer);
  });

  it.each([
    ['The source file tab should be kept open.', '源文件页应保持打开。'],
    ['Pause listings when the screen is full', '画面が一杯になったとき一覧表示を一時停止'],
    ['Version of the page has been scheduled', '페이지의 버전을 게시하도록 예약했습니다'],
  ])('is measured by the density of its script: %j, %j', (source, answer) => {
    expect(nonsenseIn(source, answer)).toBeUndefined();
    expect(nonsenseIn(source, `${answer} `.repeat(9))).toContain('far longer');
  });

  it.each(DAMAGES)('%s', (reason, damage) => {
    for (const [source, translation] of PAIRS.slice(0, 2))
      expect(nonsenseIn(source, damage(translation)), damage(translation)).toContain(reason);
  });

  it('is an unchanged whole sentence, unless that is allowed', () => {
    const text = 'the files of the project could not be read';
    expect(nonsenseIn(text, text)).toBe('the answer repeats the source');
    expect(nonsenseIn(text, text, { mayCopy: true })).toBeUndefined();
  });

  it.each(DAMAGES.filter(([reason]) => reason === 'wrapped'))('is repaired if it is %s', (_, damage) => {
    for (const [source, translation] of PAIRS.slice(0, 2))
      expect(unwrapAnswer(source, damage(translation))).toBe(translation);
  });

  it('is found in time proportional to the length', () => {
    const long = '"*_`# ('.repeat(30_000);
    const began = performance.now();
    nonsenseIn(long, `${long}"`);
    nonsenseIn('a', `翻译${'a '.repeat(60_000)}`);
    nonsenseIn('a', `**${'_*'.repeat(60_000)}`);
    nonsenseIn('a', "i'm sorry ".repeat(20_000));
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
