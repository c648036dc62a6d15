import type { SpeechStretch } from './find-speech.ts'

export type WindowSettings = {
  /** Stretches closer than this are decoded together … */
  readonly mergeGap: number
  /** … up to this length; longer speech is cut at its quietest point. */
  readonly longest: number
  /**
   * Added on both sides, because the detector is slightly late and words fade. It reaches beyond the sound, which is silent
   * there: decoders misread a voice that begins with the first sample, or write nothing.
   */
  readonly padding: number
  /** How far apart windows may begin: a few times as far as the moments that the model tells apart. */
  readonly step: number
}

/** Groups stretches of speech into windows to decode at once, in order and without overlap. */
export function makeWindows(
  speech: readonly SpeechStretch[],
  settings: WindowSettings,
): SpeechStretch[] {
  const merged: SpeechStretch[] = []
  for (const stretch of speech) {
    const last = merged.at(-1)
    const joins =
      last &&
      stretch.start - last.end < settings.mergeGap &&
      stretch.end - last.start <= settings.longest
    if (joins) merged[merged.length - 1] = { start: last.start, end: stretch.end }
    else merged.push(stretch)
  }
  return merged.map((stretch, index) => {
    const { end } = stretch
    const before = merged[index - 1]
    // The detector has to hear a voice for a while: one that begins so early has probably begun with the sound.
    const start = stretch.start < 2 * settings.padding ? 0 : stretch.start
    const after = merged[index + 1]
    return {
      start: Math.max(
        start - settings.padding,
        before ? Math.ceil((before.end + start) / 2) : -Infinity,
      ),
      end: Math.min(end + settings.padding, after ? Math.floor((end + after.start) / 2) : Infinity),
    }
  })
}

/**
 * Moves both ends of a window by at most half a step, so that its highest peak is a number of steps away. The detector tells
 * where speech begins in blocks that are counted from the beginning of the sound. In this way the same speech is heard from the
 * same sample on, and has the same times, in whatever part of a sound it is. `excerpt` begins with the window.
 */
export function inStep(
  { start, end }: SpeechStretch,
  excerpt: Float32Array,
  { step, earliest }: { readonly step: number; readonly earliest: number },
): SpeechStretch {
  let peak = 0
  excerpt.forEach((value, at) => {
    if (Math.abs(value) > Math.abs(excerpt[peak] ?? 0)) peak = at
  })
  const late = peak % step
  const begin = Math.max(earliest, start + (late > step / 2 ? late - step : late))
  return { start: begin, end: begin + Math.max(1, Math.round((end - begin) / step)) * step }
}

/**
 * Finds where to cut `sound` between two places: the middle of its quietest stretch of `reach` samples on either side.
 */
export function quietestPoint(
  sound: Float32Array,
  from: number,
  to: number,
  reach: number,
): number {
  const step = Math.max(1, Math.round(reach / 10))
  let best = from
  let least = Number.POSITIVE_INFINITY
  for (let at = from; at < to; at += step) {
    let energy = 0
    for (
      let index = Math.max(0, at - reach);
      index < Math.min(sound.length, at + reach);
      index += 4
    )
      energy += (sound[index] ?? 0) ** 2
    if (energy < least) {
      least = energy
      best = at
    }
  }
  return best
}
