/** Appends values to the list of a key, which it creates if needed. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, ...values: Value[]): void {
  const list = lists.get(key);
  if (list) list.push(...values);
  else lists.set(key, values);
}
