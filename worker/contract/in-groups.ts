/** A list in groups of this many; the last one may be smaller. */
export function inGroups<One>(list: readonly One[], size: number): One[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) =>
    list.slice(i * size, (i + 1) * size),
  )
}

/** A list in groups that have at most these entries and bytes; an entry that is larger is a group of its own. */
export function inPortions<One>(
  list: readonly One[],
  bytesOf: (one: One) => number,
  most: { entries?: number; bytes: number },
): One[][] {
  const portions: One[][] = []
  let bytes = Infinity
  for (const one of list) {
    const more = bytesOf(one)
    if (bytes + more > most.bytes || portions.at(-1)?.length === most.entries) {
      portions.push([])
      bytes = 0
    }
    portions.at(-1)?.push(one)
    bytes += more
  }
  return portions
}
