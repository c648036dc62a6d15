import type { SpeechStretch } from './find-speech.ts'

export type WindowSettings = {
  /** Stretches closer than this are decoded together … */
  readonly mergeGap: number
  /** … up to this length; longer speech is cut at its quietest points. */
  readonly longest: number
  /**
   * Added on both sides, because the detector is slightly late and words fade. It reaches beyond the sound, which is silent
   * there: decoders misread a voice that begins with the first sample, or write nothing.
   */
  readonly padding: number
}

/** Groups stretches of speech that are closer than `mergeGap`, in order and without overlap. */
export function makeWindows(
  speech: readonly SpeechStretch[],
  { mergeGap, padding }: Omit<WindowSettings, 'longest'>,
): SpeechStretch[] {
  const merged: SpeechStretch[] = []
  for (const { start, end } of speech) {
    const last = merged.at(-1)
    if (last && start - last.end < mergeGap) merged[merged.length - 1] = { ...last, end }
    else merged.push({ start, end })
  }
  return merged.map((stretch, index) => {
    const { end } = stretch
    const before = merged[index - 1]
    // The detector has to hear a voice for a while: one that begins so early has probably begun with the sound.
    const start = stretch.start < 2 * padding ? 0 : stretch.start
    const after = merged[index + 1]
    return {
      start: Math.max(start - padding, before ? Math.ceil((before.end + start) / 2) : -Infinity),
      end: Math.min(end + padding, after ? Math.floor((end + after.start) / 2) : Infinity),
    }
  })
}

/**
 * The middle of the quietest stretch of `reach` samples on either side, between two places of a sound, and its energy: a sum of
 * whole numbers, so that it is the same wherever the sound begins.
 */
export function quietest(
  sound: Float32Array,
  from: number,
  to: number,
  reach: number,
): { readonly at: number; readonly energy: number } {
  const power = (at: number): number => Math.round(2 ** 15 * (sound[at] ?? 0)) ** 2
  let energy = 0
  for (let at = from - reach; at < from + reach; at++) energy += power(at)
  let best = { at: from, energy }
  for (let at = from + 1; at < to; at++) {
    energy += power(at + reach - 1) - power(at - 1 - reach)
    if (energy < best.energy) best = { at, energy }
  }
  return best
}
