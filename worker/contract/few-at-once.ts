/** Does the work for each entry of a list, in this order, for at most `most` entries at a time. */
export async function fewAtOnce<One>(
  list: readonly One[],
  most: number,
  work: (one: One) => Promise<void>,
): Promise<void> {
  const rest = list.values()
  const workOn = async (): Promise<void> => {
    for (const one of rest) await work(one)
  }
  await Promise.all(Array.from({ length: most }, workOn))
}
