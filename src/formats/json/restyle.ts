import { endOfComment, endOfString } from './characters.ts';
import type { Style } from './style.ts';

interface Restyling {
  readonly from: { readonly indent: string; readonly unit: string };
  /** `separator`: what stands before the member in its new place. */
  readonly to: {
    readonly separator: string;
    readonly style: Style;
    /** Spells a string, quotes included. */
    readonly spell: (raw: string) => string;
  };
}

/**
 * A member in the style of another document: its indentation, its colons, its line ends, and on one line where the
 * place has no lines. Comments stay as they are.
 */
export function restyle(member: string, { from, to }: Restyling): string {
  const spread = /[\r\n]/.test(to.separator) || /\/\/|\/\*/.test(withoutStrings(member));
  const indent = /[\r\n]/.test(to.separator) ? to.separator.replace(/[\r\n]/g, '') : '';
  const parts: string[] = [];
  let last = '';
  for (let at = 0; at < member.length;) {
    const c = member.charAt(at);
    if (c === '"') {
      const end = endOfString(member, at);
      parts.push(to.spell(member.slice(at, end)));
      at = end;
      last = c;
    } else if (c === '/') {
      const end = endOfComment(member, at);
      parts.push(member.slice(at, end));
      at = end;
      last = c;
    } else if (/\s/.test(c) || c === ':') {
      let end = at + 1;
      while (end < member.length && /[\s:]/.test(member.charAt(end))) end++;
      const gap = member.slice(at, end);
      at = end;
      if (gap.includes(':') && !(last === '/' || member.charAt(end) === '/')) parts.push(to.style.colon);
      else if (!/[\r\n]/.test(gap)) parts.push(gap);
      else if (spread) parts.push(respread(gap, indent, from, to.style));
      else if (last === ',') parts.push(to.separator);
    } else {
      parts.push(c);
      at++;
      last = c;
    }
  }
  return parts.join('');
}

/** White space with line ends in it, its last line indented for the new place. */
function respread(gap: string, indent: string, from: Restyling['from'], style: Style): string {
  const lines = gap.split(/\r\n|\n|\r/);
  const old = lines.at(-1) ?? '';
  const inner = old.startsWith(from.indent) ? old.slice(from.indent.length) : old;
  const levels = from.unit === '' ? 0 : inner.length / from.unit.length;
  const exact = Number.isInteger(levels) && inner === from.unit.repeat(levels);
  return style.lineEnd.repeat(lines.length - 1) + indent + (exact ? style.unit.repeat(levels) : inner);
}

function withoutStrings(member: string): string {
  let rest = '';
  for (let at = 0; at < member.length;) {
    if (member.charAt(at) === '"') at = endOfString(member, at);
    else rest += member.charAt(at++);
  }
  return rest;
}
