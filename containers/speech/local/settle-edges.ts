import type { SpeechStretch } from './find-speech.ts'
import { sampleRate, type Sound } from './sound-file.ts'

/**
 * How far from where the detector tells an edge the sound is looked at: it notices late that a voice begins, and that it ends. What
 * is beside a stretch may be louder than all of it, so nobody looks beyond its other end.
 */
const reach = { silence: 0.2 * sampleRate, voice: 0.15 * sampleRate }
/** Energies are those of 20 ms, taken every 2 ms. */
const hop = 0.002 * sampleRate
const half = 0.01 * sampleRate
/** As powers of ten: quieter sound than this under the loudest is silence … */
const deepest = 4
/** … and an edge that rises less than this is none that can be told. */
const leastRise = 0.6
/** A voice has begun where it has risen by this share, as we hear it, from silence to its loudest. */
const risen = 0.35
/** How late the detector tells a beginning, which counts where the sound does not rise. */
const delay = 0.06 * sampleRate
/** A voice may fall silent for this long before a consonant that it goes on with. */
const closure = 0.05 * sampleRate

/** In samples on either side of an edge. */
type Reach = { readonly silence: number; readonly voice: number }

/**
 * Moves both ends of stretches of speech to where the sound itself rises and falls. The detector tells them in blocks that are
 * counted from the beginning of a sound, so it tells other ends of the same speech in another part of a film.
 */
export async function settleEdges(
  sound: Sound,
  stretches: readonly SpeechStretch[],
): Promise<SpeechStretch[]> {
  const settled: SpeechStretch[] = []
  for (const [i, { start, end }] of stretches.entries()) {
    const last = settled.at(-1)?.end ?? 0
    const next = stretches[i + 1]?.start ?? sound.length
    const voice = Math.min(reach.voice, end - start)
    const first = await riseBefore(sound, start, {
      silence: Math.min(reach.silence, start - last),
      voice,
    })
    const behind = await fallAfter(sound, end, {
      silence: Math.min(reach.silence, next - end),
      voice,
    })
    if (first < behind) settled.push({ start: Math.max(last, first), end: Math.max(first, behind) })
  }
  return settled
}

async function riseBefore(sound: Sound, at: number, { silence, voice }: Reach): Promise<number> {
  const from = at - silence
  const levels = levelsOf(await sound.read(from - half, at + voice + half))
  const rise = riseIn(levels, silence)
  return rise === undefined ? at - Math.min(silence, delay) : from + hop * rise
}

async function fallAfter(sound: Sound, at: number, { silence, voice }: Reach): Promise<number> {
  const from = at - voice
  const levels = levelsOf(await sound.read(from - half, at + silence + half))
  const fall = riseIn(levels.toReversed(), silence)
  return fall === undefined ? at : from + hop * (levels.length - 1 - fall)
}

function levelsOf(samples: Float32Array): Float64Array {
  const levels = new Float64Array(Math.max(0, Math.floor((samples.length - 2 * half) / hop)))
  for (let i = 0; i < levels.length; i++) {
    let energy = 0
    for (let at = i * hop; at < i * hop + 2 * half; at++) energy += (samples[at] ?? 0) ** 2
    levels[i] = Math.log10(energy / (2 * half) + 1e-9)
  }
  return levels
}

/**
 * The place at which the level has risen for good from its lowest to its highest behind `silence`, where the last of another voice
 * may be louder; undefined if it does not rise.
 */
function riseIn(levels: Float64Array, silence: number): number | undefined {
  const voice = Math.max(0, Math.min(levels.length - 1, Math.floor(silence / hop)))
  const loudest = levels.reduce(
    (best, level, i) => (i > voice && level > (levels[best] ?? 0) ? i : best),
    voice,
  )
  const high = levels[loudest] ?? 0
  const low = Math.max(high - deepest, Math.min(...levels.subarray(0, loudest + 1)))
  if (high - low < leastRise) return undefined
  const enough = low + risen * (high - low)
  let place = loudest
  for (let i = loudest; i >= 0 && (place - i) * hop <= closure; i--) {
    if ((levels[i] ?? 0) >= enough) place = i
  }
  return place
}
