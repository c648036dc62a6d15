/** Words that must be put in, left out or exchanged to make one text of the other. */
export function wordErrors(said: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index)
  said.forEach((word, i) => {
    const next = [i + 1]
    heard.forEach((other, j) => {
      const exchanged = (row[j] ?? 0) + (word === other ? 0 : 1)
      next.push(Math.min(exchanged, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    })
    row = next
  })
  return row[heard.length] ?? 0
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
