/**
 * What was heard of the windows of a sound, in a place that outlives this attempt. A name stands for all that decides what is
 * heard, so that a text is never taken for another sound or model. A window that cannot be kept or found is heard again.
 */
export type KeptWindows = {
  readonly find: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly keep: (name: string, text: string) => Promise<void>
}
