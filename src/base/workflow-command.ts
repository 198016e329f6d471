/**
 * Text that a CI runner would execute as a command in the output of a step. GitHub's runner reads lines that end in LF,
 * CR or both, and accepts `::name::` after white space at the beginning of a line, and `##[name]` anywhere. Azure
 * Pipelines accepts `##vso[name]` and `##[name]`, TeamCity `##teamcity[name]`. The expression looks for colons first:
 * matching white space before every position would take quadratic time.
 */
const COMMAND = /::(?<=(?:^|[\r\n])[\s\u0085]*::)|##(?:vso|teamcity)?\[/i;

/** A command's bracket, which may arrive after the rest of the command. */
const BRACKET = /(?<=##(?:vso|teamcity)?)\[/gi;

/** Includes a colon at the start of an unfinished line, which may become a command. */
const POSSIBLE_COMMAND = /(?=::|:$)(?<=(?:^|[\r\n])[\s\u0085]*)/g;

/** Whether the runner would execute any part of the content as a command. */
export function hasWorkflowCommand(content: string | Uint8Array): boolean {
  return COMMAND.test(typeof content === 'string' ? content : asciiOf(content));
}

/** The content without NUL bytes and without a byte order mark of UTF-16, so that commands in UTF-16 are found too. */
function asciiOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString()
    .replaceAll('\0', '')
    .replace(/^\ufffd+/, '');
}

/** The same JSON without any text that the runner would execute as a command. */
export function escapeWorkflowCommands(json: string): string {
  return json.replace(/##(?=(?:vso|teamcity)?\[)/gi, '\\u0023#');
}

/** Text for people, with every command made ineffective at its beginning. */
export function breakWorkflowCommands(text: string): string {
  return text.replace(POSSIBLE_COMMAND, '> ').replace(BRACKET, ' [');
}

/** Same as {@link breakWorkflowCommands}, for text in pieces that may end within a line. */
export class WorkflowCommandBreaker {
  /** Represents the current line so far; empty as long as it is only white space. */
  #open = '';

  get isInLine(): boolean {
    return this.#open !== '';
  }

  push(piece: string): string {
    const whole = breakWorkflowCommands(this.#open + piece);
    const text = whole.slice(this.#open.length);
    const line = whole.slice(Math.max(whole.lastIndexOf('\n'), whole.lastIndexOf('\r')) + 1);
    // Keeps the last characters, which may begin a command, and an `x` in place of earlier ones.
    this.#open = /^[\s\u0085]*$/.test(line) ? '' : `x${line.slice(-'##teamcity'.length)}`;
    return text;
  }
}
