/** The number of words to insert, delete or replace to turn one text into the other. */
export function wordDistance(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  one.forEach((word, i) => {
    const next = [i + 1]
    other.forEach((another, j) => {
      const exchanged = (row[j] ?? 0) + (word === another ? 0 : 1)
      next.push(Math.min(exchanged, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    })
    row = next
  })
  return row[other.length] ?? 0
}
