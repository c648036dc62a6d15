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
}

/** Groups stretches of speech into windows to decode at once, in order and without overlap. */
export function makeWindows(
  speech: readonly SpeechStretch[],
  settings: WindowSettings,
): SpeechStretch[] {
  const merged = runsOf(speech, settings).flatMap((run) => partsOf(run, settings))
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

/** Stretches that are closer than `mergeGap`. */
function runsOf(
  speech: readonly SpeechStretch[],
  { mergeGap }: WindowSettings,
): (readonly SpeechStretch[])[] {
  const runs: SpeechStretch[][] = []
  for (const stretch of speech) {
    const last = runs.at(-1)
    if (last && stretch.start - (last.at(-1)?.end ?? 0) < mergeGap) last.push(stretch)
    else runs.push([stretch])
  }
  return runs
}

/**
 * Parts a run at its longest pause, and its parts again, until none is too long. So where somebody speaks for minutes without
 * a long pause, windows depend on the pauses near them, and not on where the sound begins.
 */
function partsOf(run: readonly SpeechStretch[], { longest }: WindowSettings): SpeechStretch[] {
  const parts: SpeechStretch[] = []
  const waiting = [run]
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    const [start, end] = [part[0]?.start ?? 0, part.at(-1)?.end ?? 0]
    if (part.length < 2 || end - start <= longest) parts.push({ start, end })
    else {
      const at = longestPause(part)
      // The earlier part is taken first.
      waiting.push(part.slice(at), part.slice(0, at))
    }
  }
  return parts
}

/** The place of the stretch behind it. */
function longestPause(part: readonly SpeechStretch[]): number {
  let [best, longest] = [1, -Infinity]
  for (const [i, { start }] of part.entries()) {
    const pause = i === 0 ? -Infinity : start - (part[i - 1]?.end ?? 0)
    if (pause > longest) [best, longest] = [i, pause]
  }
  return best
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
