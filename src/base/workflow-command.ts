/**
 * What a runner takes for a command in the output of a step. GitHub's reads lines that end in LF, CR or both, and looks
 * for `::name::` behind white space at the beginning of a line, and for `##[name]` anywhere in it. The agent of Azure
 * Pipelines looks for `##vso[name]` and `##[name]`, that of TeamCity for `##teamcity[name]`. Colons are looked for
 * first: looking for the white space before every position would take quadratic time.
 */
const COMMAND = /::(?<=(?:^|[\r\n])[\s\u0085]*::)|##(?:vso|teamcity)?\[/i;

/** The bracket of a command, which may come after the rest of it was written. */
const BRACKET = /(?<=##(?:vso|teamcity)?)\[/gi;

/** Also where the rest of a line is still to come: a colon at its beginning may become a command. */
const POSSIBLE_COMMAND = /(?=::|:$)(?<=(?:^|[\r\n])[\s\u0085]*)/g;

/** Whether the runner would take something of it for a command. */
export function hasWorkflowCommand(content: string | Uint8Array): boolean {
  return COMMAND.test(typeof content === 'string' ? content : asciiOf(content));
}

/** In UTF-16 the characters of commands differ in NUL bytes only; its mark is not valid UTF-8. */
function asciiOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString()
    .replaceAll('\0', '')
    .replace(/^\ufffd+/, '');
}

/** The same JSON text, with nothing in it that the runner would take for a command. */
export function escapeWorkflowCommands(json: string): string {
  return json.replace(/##(?=(?:vso|teamcity)?\[)/gi, '\\u0023#');
}

/** Text for people, with every command made harmless where it begins. */
export function breakWorkflowCommands(text: string): string {
  return text.replace(POSSIBLE_COMMAND, '> ').replace(BRACKET, ' [');
}

/** The same for text that comes in pieces, which need not end with their lines. */
export class WorkflowCommandBreaker {
  /** Stands for what was written of the current line; empty as long as that is white space only. */
  #open = '';

  get isInLine(): boolean {
    return this.#open !== '';
  }

  push(piece: string): string {
    const whole = breakWorkflowCommands(this.#open + piece);
    const text = whole.slice(this.#open.length);
    const line = whole.slice(Math.max(whole.lastIndexOf('\n'), whole.lastIndexOf('\r')) + 1);
    // The last characters may be the beginning of a command; of those before them it matters that they are there.
    this.#open = /^[\s\u0085]*$/.test(line) ? '' : `x${line.slice(-'##teamcity'.length)}`;
    return text;
  }
}
