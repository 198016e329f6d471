/**
 * Ways in which a translator damages the syntax of a text. Each handles all three notations: that of the file, that of
 * segments, and that of requests to a service.
 */
export const DAMAGES: Readonly<Record<string, (text: string) => string>> = {
  'renames a placeholder': (text) => text.replace(/\{(?:name|\d+)\}|<x id="\d+"\/>/, '{nom}'),
  'drops a placeholder': (text) => text.replace(/%s|\{\d+\}|<x id="\d+"\/>/g, ''),
  'drops both ends of a tag': (text) => text.replace(/<\/?(?:i|g\d+)>|<x id="\d+">|<\/x>/g, ''),
  'leaves an end tag': (text) => text.replace(/<(?:i|g\d+)>|<x id="\d+">/g, ''),
  'adds a placeholder': (text) => (/\p{L}/u.test(text) ? `${text} {extra}` : text),
  'answers blanks': (text) => text.replace(/\S/gu, ''),
};
