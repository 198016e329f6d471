/**
 * Rows that choose one variant of each dimension, so that every two variants of two dimensions occur together in one
 * row.
 * @param sizes the number of variants of each dimension
 */
export function coverPairs(sizes: readonly number[]): readonly (readonly number[])[] {
  const open = new Set<string>();
  for (const [a, variants] of sizes.entries())
    for (let b = a + 1; b < sizes.length; b++)
      for (let v = 0; v < variants; v++)
        for (let w = 0; w < (sizes[b] ?? 0); w++) open.add(`${a} ${v} ${b} ${w}`);
  const rows: (readonly number[])[] = [];
  while (open.size > 0) {
    const [first = ''] = open;
    const [a = 0, v = 0, b = 0, w = 0] = first.split(' ').map(Number);
    const chosen = new Map([
      [a, v],
      [b, w],
    ]);
    for (const [at, variants] of sizes.entries()) {
      if (chosen.has(at)) continue;
      const gains = Array.from(
        { length: variants },
        (_, variant) => pairsWith(chosen, at, variant).filter((pair) => open.has(pair)).length,
      );
      chosen.set(at, gains.indexOf(Math.max(...gains)));
    }
    const row = sizes.map((_, at) => chosen.get(at) ?? 0);
    for (const at of sizes.keys()) for (const pair of pairsWith(chosen, at, row[at] ?? 0)) open.delete(pair);
    rows.push(row);
  }
  return rows.length > 0 ? rows : [sizes.map(() => 0)];
}

function pairsWith(chosen: ReadonlyMap<number, number>, at: number, variant: number): readonly string[] {
  return [...chosen].flatMap(([other, v]) =>
    other === at ? [] : [other < at ? `${other} ${v} ${at} ${variant}` : `${at} ${variant} ${other} ${v}`],
  );
}
