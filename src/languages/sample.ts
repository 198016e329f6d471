/** A detector reads no more of one window: the smaller of the two stops at 1,000 characters by itself. */
const windowLength = 1000;

/** Twenty windows settle the language of any text; more would only take longer. */
const mostWindows = 20;

const sampleLength = windowLength * mostWindows;

/** The commonest forms of placeholders, tags and entities: the names in them are in no language of a reader's. */
const codes =
  /\$?\{{1,2}\s*[\w.$-]*\s*\}{1,2}|%\(\w+\)[a-zA-Z]|%\{\w+\}|%(?:\d+\$)?[-+0#]*[\d.*]*(?:hh?|ll?)?[sdiufxXc@](?![a-z])|<\/?[a-zA-Z][^<>]*>|&#?\w+;/g;

/** The ICU syntax around the branches of a plural or a choice: its English words occur in files of every language. */
const icuHead = /\{\s*[\w.-]+\s*,\s*(?:plural|select|selectordinal)\s*,(?:\s*offset:\d+)?/g;
const icuSelector = /[\w=-]+\s*(?=\{)/g;

/** Letters and their marks, with the apostrophes and hyphens inside words. Addresses are in no language. */
function lettersOf(window: string): string {
  return withoutCodes(window.normalize('NFC'))
    .replace(/\S*(?::\/\/|@)\S*/g, ' ')
    .replace(/[^\p{L}\p{M}'’·-]+/gu, ' ')
    .trim();
}

function withoutCodes(window: string): string {
  const words = window.replace(codes, ' ');
  const branches = words.replace(icuHead, ' ');
  return branches.length === words.length ? words : branches.replace(icuSelector, ' ');
}

/**
 * What detection looks at: the words of the whole text, or of windows evenly spread over a long one, at most 20,000
 * UTF-16 code units however long it is. Windows without a letter are left out.
 */
export function sampleText(text: string): readonly string[] {
  const count = Math.min(mostWindows, Math.ceil(text.length / windowLength));
  const step = text.length > sampleLength ? (text.length - windowLength) / (mostWindows - 1) : windowLength;
  const starts = Array.from({ length: count }, (_, i) => Math.floor(i * step));
  return starts
    .map((start) => lettersOf(text.slice(start, start + windowLength)))
    .filter((window) => /\p{L}/u.test(window));
}

/** The same for the values of a file: as many of them, evenly spread, as fit the sample. */
export function sampleTexts(texts: readonly string[]): readonly string[] {
  let total = 0;
  for (const text of texts) total += Math.min(text.length, windowLength) + 1;
  const stride = Math.max(1, Math.ceil(total / sampleLength));
  const chosen: string[] = [];
  for (let i = 0; i < texts.length; i += stride) chosen.push((texts[i] ?? '').slice(0, windowLength));
  return sampleText(chosen.join('\n'));
}
