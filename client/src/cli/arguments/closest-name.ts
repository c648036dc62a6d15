/** The known name that was probably meant: the same in another spelling, or a typo away. */
function closestName(asked: string, known: readonly string[]): string | undefined {
  const plain = plainName(asked)
  if (plain === '') return undefined
  const same = known.find((name) => plainName(name) === plain)
  if (same !== undefined) return same
  const ranked = known
    .map((name) => ({ name, edits: editsBetween(plain, plainName(name)) }))
    .sort((a, b) => a.edits - b.edits)
  const best = ranked[0]
  if (best && best.edits <= (Math.min(plain.length, plainName(best.name).length) < 5 ? 1 : 2)) {
    return best.name
  }
  // `--quality` for `--compression-quality`.
  const containing = known.filter((name) => plain.length > 3 && plainName(name).includes(plain))
  return containing.length === 1 ? containing[0] : undefined
}

export function suggestion(asked: string, known: readonly string[]): readonly string[] {
  const closest = closestName(asked, known)
  return closest === undefined ? [] : [`Did you mean ${closest}?`]
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** Letters to add, remove, replace or swap. */
function editsBetween(one: string, other: string): number {
  const a = one.slice(0, 64)
  const b = other.slice(0, 64)
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          at(last, j) + 1,
          at(row, j - 1) + 1,
          at(last, j - 1) + (isSame ? 0 : 1),
          isSwap ? at(before, j - 2) + 1 : Infinity,
        ),
      )
    }
    before = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity
}
