/** At most this many of a list, from its whole length. */
export function spread<One>(list: readonly One[], most: number): One[] {
  const step = Math.max(1, list.length / most)
  return list.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
}
