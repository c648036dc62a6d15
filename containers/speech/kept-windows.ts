/**
 * The transcripts of a sound's windows, in a place that outlives this attempt. A name stands for everything that decides them,
 * so that a text is never used for another sound or model. A window that cannot be kept or found is transcribed again.
 */
export type KeptWindows = {
  readonly find: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly keep: (name: string, text: string) => Promise<unknown>
}

/**
 * Transcripts and measurements for later jobs of the account. `keep` tells whether the text is kept; `isOff`: whether the
 * service has said that it keeps nothing.
 */
export type KeptTexts = Pick<KeptWindows, 'find'> & {
  readonly keep: (name: string, text: string) => Promise<boolean>
  readonly isOff: () => boolean
}

/** What is known about one sound, if nothing else may be looked up or kept. */
export function onlyText({
  name,
  text,
}: {
  readonly name: string
  readonly text: string
}): KeptTexts {
  return {
    isOff: () => true,
    find: async (names) => new Map(names.includes(name) ? [[name, text]] : []),
    keep: async () => false,
  }
}
