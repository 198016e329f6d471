import { cursorCharLeft, cursorCharRight, cursorGroupLeft, cursorGroupRight } from '@codemirror/commands';
import { history, redo, selectCharLeft, selectCharRight, undo } from '@codemirror/commands';
import { EditorState, Prec, type Range, StateField, type TransactionSpec } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, WidgetType } from '@codemirror/view';
import type { Syntax } from '../../text/syntax.ts';
import { type Chip, chipsOf } from './chips.ts';
import { wording } from './wording.ts';

export interface EditorOptions {
  readonly value: string;
  readonly syntax: Syntax;
  readonly label: string;
  /** The language of the translation. */
  readonly locale: string;
  readonly direction: 'rtl' | 'auto';
  readonly nonce: string;
  readonly onChange: (value: string) => void;
  readonly onFocus: () => void;
  /** @returns whether the key was used */
  readonly onKey: (event: KeyboardEvent) => boolean;
  /** Called after a single character was typed and the change was reported. */
  readonly onTyped: (character: string) => void;
}

/** A field for one text, with or without chips. {@link destroy} frees it. */
export interface TextEditor {
  focus(): void;
  /** Replaces the whole text in one undoable step. */
  replace(value: string): void;
  /** Inserts text at the cursor, replacing the selection and `typed` before it. */
  insert(text: string, typed?: string): void;
  readonly value: string;
  /** Whether the text has been changed since the field was opened, in which case the field handles undo itself. */
  readonly isTouched: boolean;
  readonly hasFocus: boolean;
  readonly selectedText: string;
  destroy(): void;
}

class ChipWidget extends WidgetType {
  readonly #chip: Chip;

  constructor(chip: Chip) {
    super();
    this.#chip = chip;
  }

  override eq(other: WidgetType): boolean {
    return (
      other instanceof ChipWidget &&
      other.#chip.raw === this.#chip.raw &&
      other.#chip.kind === this.#chip.kind
    );
  }

  override toDOM(): HTMLElement {
    const { kind, label, raw } = this.#chip;
    const element = document.createElement('span');
    element.className = `chip ${kind}`;
    element.dir = 'ltr';
    element.translate = false;
    element.spellcheck = false;
    element.textContent = label;
    if (label !== raw && kind !== 'character') element.title = raw;
    element.setAttribute('role', 'img');
    element.setAttribute('aria-label', wording.chip(kind, label));
    return element;
  }
}

interface Chips {
  readonly chips: readonly Pick<Chip, 'start' | 'end'>[];
  readonly decorations: DecorationSet;
}

/**
 * The chips of the text. While its syntax is invalid, the previous chips are kept, so that typing does not dissolve
 * them.
 */
function chipField(syntax: Syntax): StateField<Chips> {
  const read = (text: string): Chips | undefined => {
    const { chips, isReadable } = chipsOf(text, syntax);
    if (!isReadable) return undefined;
    const ranges = chips.map((chip): Range<Decoration> =>
      Decoration.replace({ widget: new ChipWidget(chip) }).range(chip.start, chip.end),
    );
    return { chips, decorations: Decoration.set(ranges) };
  };
  return StateField.define<Chips>({
    create: ({ doc }) => read(doc.toString()) ?? { chips: [], decorations: Decoration.none },
    update: (before, transaction) => {
      if (!transaction.docChanged) return before;
      const now = read(transaction.newDoc.toString());
      if (now) return now;
      const decorations = before.decorations.map(transaction.changes);
      const chips: { start: number; end: number }[] = [];
      decorations.between(0, transaction.newDoc.length, (start, end) => {
        chips.push({ start, end });
      });
      return { chips, decorations };
    },
    provide: (field) => [
      EditorView.decorations.from(field, ({ decorations }) => decorations),
      EditorView.atomicRanges.of((view) => view.state.field(field).decorations),
    ],
  });
}

/** If a deletion by the browser ends within a chip, the whole chip is deleted. */
function wholeChips(field: StateField<Chips>): ReturnType<typeof EditorState.transactionFilter.of> {
  return EditorState.transactionFilter.of((transaction) => {
    if (!transaction.docChanged) return transaction;
    const { chips } = transaction.startState.field(field);
    const changes: { from: number; to: number; insert: string }[] = [];
    let isCut = false;
    transaction.changes.iterChanges((from, to, _fromAfter, _toAfter, inserted) => {
      const first = chips.find(({ start, end }) => start < from && from < end);
      const last = chips.find(({ start, end }) => start < to && to < end);
      isCut ||= first !== undefined || last !== undefined;
      changes.push({ from: first?.start ?? from, to: last?.end ?? to, insert: inserted.toString() });
    });
    return isCut ? { changes, userEvent: 'delete' } : transaction;
  });
}

/** Deletes the chip next to the cursor. Returns whether it did. */
function deleteChip(field: StateField<Chips>, isForward: boolean): (view: EditorView) => boolean {
  return (view) => {
    const { state } = view;
    const { empty, head } = state.selection.main;
    if (!empty) return false;
    const chip = state.field(field).chips.find(({ start, end }) => (isForward ? start : end) === head);
    if (!chip) return false;
    const spec: TransactionSpec = { changes: { from: chip.start, to: chip.end }, userEvent: 'delete' };
    view.dispatch(spec);
    return true;
  };
}

/** A field in which placeholders and tags are chips. */
export function createChipEditor(parent: HTMLElement, options: EditorOptions): TextEditor {
  const field = chipField(options.syntax);
  const { value, label, locale, direction, onChange, onFocus, onKey, onTyped } = options;
  let isTouched = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: value,
      extensions: [
        // Carriage returns are ordinary characters of the text.
        EditorState.lineSeparator.of('\n'),
        EditorView.cspNonce.of(options.nonce),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({
          'aria-label': label,
          lang: locale,
          dir: direction,
          spellcheck: 'true',
          autocorrect: 'off',
        }),
        Prec.highest(EditorView.domEventHandlers({ keydown: onKey, focus: onFocus })),
        field,
        wholeChips(field),
        history(),
        keymap.of([
          { key: 'Backspace', run: deleteChip(field, false) },
          { key: 'Delete', run: deleteChip(field, true) },
          { key: 'ArrowLeft', run: cursorCharLeft, shift: selectCharLeft },
          { key: 'ArrowRight', run: cursorCharRight, shift: selectCharRight },
          { key: 'Mod-ArrowLeft', run: cursorGroupLeft },
          { key: 'Mod-ArrowRight', run: cursorGroupRight },
          { key: 'Mod-z', run: undo, preventDefault: true },
          { key: 'Mod-y', mac: 'Mod-Shift-z', run: redo, preventDefault: true },
        ]),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (!docChanged) return;
          isTouched = true;
          onChange(state.doc.toString());
          const typed = transactions.find((one) => one.isUserEvent('input.type'));
          typed?.changes.iterChanges((_from, _to, _start, _end, inserted) => {
            if (inserted.length === 1) onTyped(inserted.toString());
          });
        }),
      ],
    }),
  });
  return {
    focus: () => view.focus(),
    replace: (text) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: text.length },
      }),
    insert: (text, typed = '') => {
      const { from, to } = view.state.selection.main;
      const start = view.state.sliceDoc(from - typed.length, from) === typed ? from - typed.length : from;
      view.dispatch({
        changes: { from: start, to, insert: text },
        selection: { anchor: start + text.length },
        scrollIntoView: true,
        userEvent: 'input.complete',
      });
      view.focus();
    },
    get value() {
      return view.state.doc.toString();
    },
    get isTouched() {
      return isTouched;
    },
    get hasFocus() {
      return view.contentDOM.contains(document.activeElement);
    },
    get selectedText() {
      const { from, to } = view.state.selection.main;
      return view.state.sliceDoc(from, to);
    },
    destroy: () => view.destroy(),
  };
}

/** A plain field, which works with every screen reader and on-screen keyboard. */
export function createPlainEditor(parent: HTMLElement, options: EditorOptions): TextEditor {
  const { value, label, locale, direction, onChange, onFocus, onKey, onTyped } = options;
  // A form field only contains line feeds, so other line ends are restored.
  const hasReturns = value.includes('\r\n') && !/(?<!\r)\n/.test(value);
  const area = document.createElement('textarea');
  area.value = value;
  area.lang = locale;
  area.dir = direction;
  area.setAttribute('aria-label', label);
  const resize = (): void => {
    area.rows = Math.max(2, area.value.split('\n').length);
  };
  const read = (): string => (hasReturns ? area.value.replaceAll('\n', '\r\n') : area.value);
  let isTouched = false;
  area.addEventListener('keydown', (event) => {
    if (onKey(event)) event.preventDefault();
  });
  area.addEventListener('focus', onFocus);
  area.addEventListener('input', (event) => {
    isTouched = true;
    resize();
    onChange(read());
    if (event instanceof InputEvent && event.inputType === 'insertText' && event.data?.length === 1)
      onTyped(event.data);
  });
  resize();
  parent.append(area);
  const write = (text: string, from: number, to: number): void => {
    area.focus();
    area.setSelectionRange(from, to);
    // The only way to change the text that the browser can undo.
    document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  };
  return {
    focus: () => area.focus(),
    replace: (text) => write(text, 0, area.value.length),
    insert: (text, typed = '') => {
      const { selectionStart, selectionEnd, value } = area;
      const isTypedBefore = value.slice(selectionStart - typed.length, selectionStart) === typed;
      write(text, isTypedBefore ? selectionStart - typed.length : selectionStart, selectionEnd);
    },
    get value() {
      return read();
    },
    get isTouched() {
      return isTouched;
    },
    get hasFocus() {
      return area === document.activeElement;
    },
    get selectedText() {
      return area.value.slice(area.selectionStart, area.selectionEnd);
    },
    destroy: () => area.remove(),
  };
}
