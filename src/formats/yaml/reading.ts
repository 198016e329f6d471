/**
 * What a plain scalar means. YAML 1.2 knows few types, YAML 1.1 many, and Ruby's and Python's readers have their own:
 * a value is a text only when all of them agree, and a plain text is written only when all of them will.
 */
const OTHER_TYPES = [
  /^(?:~|null)?$/i,
  /^(?:yes|no|true|false|on|off)$/i,
  // Integers and floats, with the digit separators `_` (1.1) and `,` (Ruby).
  /^[-+]?(?:\d[\d_,]*(?:\.[\d_,]*)?|\.\d[\d_,]*)(?:e[-+]?\d+)?$/i,
  /^[-+]?0(?:x[\da-f_,]+|o[0-7_,]+|b[01_,]+)$/i,
  /^[-+]?\.(?:inf|nan)$/i,
  // Sexagesimal: a time such as 12:30 is the number 750.
  /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/,
  /^\d{4}-\d\d?-\d\d?$/,
  /^-?\d{4}-\d\d?-\d\d?(?:t|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:z|[-+]\d\d?(?::?\d\d)?))?$/i,
  // Merge and default value of YAML 1.1; a Ruby symbol.
  /^(?:<<|=)$/,
  /^:./,
];

/** Whether every reader takes this plain scalar for a text. */
export function readsAsText(plain: string): boolean {
  // Most texts begin with a letter, and of the other types only few words do.
  const first = plain.charCodeAt(0) | 0x20;
  const letter = first >= 0x61 && first <= 0x7a;
  if (letter && plain.length > 5) return true;
  return !OTHER_TYPES.some((type) => type.test(plain));
}
