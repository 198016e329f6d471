/** The action of a key. */
export type ShortcutAction =
  | 'confirm'
  | 'newline'
  | 'next'
  | 'previous'
  | 'placeholders'
  | 'copy-source'
  | 'next-similar'
  | 'previous-similar'
  | 'rejected'
  | 'needs-review'
  | 'leave'
  | 'edit'
  | 'select'
  | 'select-all'
  | 'undo'
  | 'search'
  | 'replace'
  | 'term'
  | 'keys';

interface Key {
  readonly combo: string;
  readonly action: ShortcutAction;
  /** Where the key works: while a translation has the focus, in the list, or in both. */
  readonly scope: 'editor' | 'list' | 'anywhere';
  readonly does: string;
}

/** `Mod` is Ctrl, or ⌘ on a Mac. With Alt, the key is identified by its position, because Alt changes the character. */
export const KEYS: readonly Key[] = [
  {
    combo: 'Enter',
    action: 'confirm',
    scope: 'editor',
    does: 'Save, or approve an unchanged text, and go to the next text to review; again: save despite a warning',
  },
  { combo: 'Shift+Enter', action: 'newline', scope: 'editor', does: 'New line' },
  {
    combo: 'Mod+Space',
    action: 'placeholders',
    scope: 'editor',
    does: 'List the placeholders; 1 to 9 inserts one',
  },
  { combo: 'Alt+C', action: 'copy-source', scope: 'editor', does: 'Copy the source into the translation' },
  {
    combo: 'Mod+Shift+ArrowDown',
    action: 'next-similar',
    scope: 'editor',
    does: 'Use the next similar text from the memory',
  },
  {
    combo: 'Mod+Shift+ArrowUp',
    action: 'previous-similar',
    scope: 'editor',
    does: 'Use the previous similar text',
  },
  { combo: 'Escape', action: 'leave', scope: 'editor', does: 'Close a list, or go to the list of texts' },
  { combo: 'Enter', action: 'edit', scope: 'list', does: 'Edit the text' },
  { combo: 'ArrowDown', action: 'next', scope: 'list', does: 'Next text' },
  { combo: 'ArrowUp', action: 'previous', scope: 'list', does: 'Previous text' },
  { combo: 'A', action: 'confirm', scope: 'list', does: 'Approve, and go to the next text to review' },
  { combo: 'R', action: 'rejected', scope: 'list', does: 'Reject with a note' },
  {
    combo: 'N',
    action: 'needs-review',
    scope: 'list',
    does: 'Ask for a review with a note',
  },
  { combo: 'X', action: 'select', scope: 'list', does: 'Select or unselect the text' },
  { combo: 'Mod+A', action: 'select-all', scope: 'list', does: 'Select all texts in the list' },
  { combo: '/', action: 'search', scope: 'list', does: 'Search' },
  { combo: '?', action: 'keys', scope: 'list', does: 'Show these keys' },
  { combo: 'Alt+ArrowDown', action: 'next', scope: 'anywhere', does: 'Next text' },
  { combo: 'Alt+ArrowUp', action: 'previous', scope: 'anywhere', does: 'Previous text' },
  { combo: 'Alt+R', action: 'rejected', scope: 'anywhere', does: 'Reject with a note' },
  {
    combo: 'Alt+N',
    action: 'needs-review',
    scope: 'anywhere',
    does: 'Ask for a review with a note',
  },
  {
    combo: 'Mod+Z',
    action: 'undo',
    scope: 'anywhere',
    does: 'Undo the last decision; in a translation that you have changed: undo typing',
  },
  { combo: 'Alt+S', action: 'search', scope: 'anywhere', does: 'Search' },
  { combo: 'Alt+H', action: 'replace', scope: 'anywhere', does: 'Search and replace' },
  {
    combo: 'Alt+T',
    action: 'term',
    scope: 'anywhere',
    does: 'Make the selected words a term of the glossary',
  },
  { combo: 'Alt+K', action: 'keys', scope: 'anywhere', does: 'Show these keys' },
];

interface Pressed {
  readonly key: string;
  readonly code: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

export function actionOf(event: Pressed, scope: 'editor' | 'list'): ShortcutAction | undefined {
  const combo = comboOf(event);
  return KEYS.find((key) => key.combo === combo && (key.scope === scope || key.scope === 'anywhere'))?.action;
}

function comboOf({ key, code, altKey, ctrlKey, metaKey, shiftKey }: Pressed): string {
  const isMod = ctrlKey || metaKey;
  // On Windows, AltGr is reported as Ctrl and Alt, and types characters.
  const letter = altKey && !isMod ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  const name = letter ?? (key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key);
  // A punctuation character implies whether Shift was needed.
  const isSign = name.length === 1 && !/\p{L}/u.test(name);
  const isShift = shiftKey && !isSign;
  return `${isMod ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${isShift ? 'Shift+' : ''}${name}`;
}

/** A key combination as people write it. */
export function writeCombo(combo: string, isMac: boolean): string {
  const names: Readonly<Record<string, string>> = {
    Mod: isMac ? '⌃' : 'Ctrl',
    Alt: isMac ? '⌥' : 'Alt',
    ArrowDown: '↓',
    ArrowUp: '↑',
    Escape: 'Esc',
  };
  return combo
    .split('+')
    .map((part) => names[part] ?? part)
    .join(' + ');
}
