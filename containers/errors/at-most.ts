/** Runs `work` for every item, at most `width` at a time. The first failure stops the rest and is thrown. */
export async function atMost<Item, Result>(
  width: number,
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const failure = new AbortController()
  const both = AbortSignal.any([signal, failure.signal])
  const results = new Map<number, Result>()
  const waiting = items.entries()
  const lane = async (): Promise<void> => {
    for (const [i, item] of waiting) {
      both.throwIfAborted()
      results.set(i, await work(item, both))
    }
  }
  const lanes = Array.from({ length: Math.min(width, items.length) }, async () =>
    lane().catch((error: unknown) => {
      failure.abort(error)
    }),
  )
  await Promise.all(lanes)
  signal.throwIfAborted()
  if (failure.signal.aborted) throw failure.signal.reason
  return [...results.entries()].sort(([a], [b]) => a - b).map(([, result]) => result)
}
