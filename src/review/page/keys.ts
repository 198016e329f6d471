/**
 * The keys, by the place where they work: while a translation has the focus, in the list, or in both. `Mod` is Ctrl, or ⌘
 * on a Mac. With Alt, the key is identified by its position, because Alt changes the character.
 */
const SHORTCUTS = {
  editor: [
    [
      'Enter',
      'confirm',
      'Save, or approve an unchanged text, and go to the next text to review; again: save despite a warning',
    ],
    ['Shift+Enter', 'newline', 'New line'],
    ['Mod+Space', 'placeholders', 'List the placeholders; 1 to 9 inserts one'],
    ['Alt+C', 'copy-source', 'Copy the source into the translation'],
    ['Mod+Shift+ArrowDown', 'next-similar', 'Use the next similar text from the memory'],
    ['Mod+Shift+ArrowUp', 'previous-similar', 'Use the previous similar text'],
    ['Escape', 'leave', 'Close a list, or go to the list of texts'],
  ],
  list: [
    ['Enter', 'edit', 'Edit the text'],
    ['ArrowDown', 'next', 'Next text'],
    ['ArrowUp', 'previous', 'Previous text'],
    ['A', 'confirm', 'Approve, and go to the next text to review'],
    ['R', 'rejected', 'Reject with a note'],
    ['N', 'needs-review', 'Ask for a review with a note'],
    ['X', 'select', 'Select or unselect the text'],
    ['Mod+A', 'select-all', 'Select all texts in the list'],
    ['/', 'search', 'Search'],
    ['?', 'keys', 'Show these keys'],
  ],
  anywhere: [
    ['Alt+ArrowDown', 'next', 'Next text'],
    ['Alt+ArrowUp', 'previous', 'Previous text'],
    ['Alt+R', 'rejected', 'Reject with a note'],
    ['Alt+N', 'needs-review', 'Ask for a review with a note'],
    ['Mod+Z', 'undo', 'Undo the last decision; in a translation that you have changed: undo typing'],
    ['Alt+S', 'search', 'Search'],
    ['Alt+H', 'replace', 'Search and replace'],
    ['Alt+T', 'term', 'Make the selected words a term of the glossary'],
    ['Alt+K', 'keys', 'Show these keys'],
  ],
} as const;

type Scope = keyof typeof SHORTCUTS;

/** The action of a key. */
export type ShortcutAction = (typeof SHORTCUTS)[Scope][number][1];

interface Key {
  readonly combo: string;
  readonly action: ShortcutAction;
  readonly scope: Scope;
  readonly does: string;
}

export const KEYS: readonly Key[] = (['editor', 'list', 'anywhere'] as const).flatMap((scope) =>
  SHORTCUTS[scope].map(([combo, action, does]) => ({ combo, action, scope, does })),
);

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
