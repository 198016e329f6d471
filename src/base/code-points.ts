/** The number of code points of `text`, up to `limit + 1`: text beyond the limit is not read. */
export function countCodePoints(text: string, limit = Infinity): number {
  let count = 0;
  for (let i = 0; i < text.length && count <= limit; count++) {
    i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
  }
  return count;
}
