/** Sounds of elements that were written down again, lower while somebody speaks: with their volume, fades and length. */
export type Ducked = {
  /** Raw samples like those of a prepared sound, by the index of the element. */
  readonly files: ReadonlyMap<number, string>
  readonly warnings: readonly string[]
}
