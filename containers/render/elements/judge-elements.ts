/** An element that has its time and place in the video, or the warning that says why it has none. */
export type Judged<Placed> = { readonly placed: Placed } | { readonly leftOut: string }

export function sortOut<Placed>(judged: readonly Judged<Placed>[]): {
  placed: Placed[]
  warnings: string[]
} {
  return {
    placed: judged.flatMap((one) => ('placed' in one ? [one.placed] : [])),
    warnings: judged.flatMap((one) => ('leftOut' in one ? [one.leftOut] : [])),
  }
}
