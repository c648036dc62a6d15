import type { SpeechStretch } from './find-speech.ts'
import type { SampledSound } from './sound-file.ts'
import { speechRate } from '../../sound/speech-sound.ts'

/**
 * How far from the detected edge the sound is examined: the detector notices late that a voice begins, and that it ends. Sounds
 * beside a stretch may be louder than all of it, so nothing beyond its other end is examined.
 */
const reach = { silence: 0.2 * speechRate, voice: 0.15 * speechRate }
/** Energies are those of 20 ms around each sample. */
const half = 0.01 * speechRate
/** As a power: sound this far below the loudest is silence … */
const deepest = 1e4
/** … and an edge that rises by less than this cannot be located. */
const leastRise = 10 ** 0.6
/** The lowest power that a sample is assumed to have. */
const floor = 1e-9
/** A voice has begun where its perceived loudness has risen by this share, from silence to its loudest. */
const risen = 0.35
/** How late the detector reports a beginning; used where the sound does not rise. */
const delay = 0.06 * speechRate
/** A voice may fall silent for this long before a consonant with which it continues. */
const closure = 0.05 * speechRate

/**
 * Which parts around an edge are loud and silent depends on where it is assumed, so each look starts from what the last one has
 * found, until nothing moves.
 */
const mostLooks = 6

/**
 * Moves both ends of stretches of speech to where the sound itself rises and falls. The detector reports them in blocks that
 * are counted from the beginning of a sound, so for the same speech in another part of a film it reports other ends.
 */
export async function fitEdges(
  sound: SampledSound,
  stretches: readonly SpeechStretch[],
): Promise<SpeechStretch[]> {
  const fitted: SpeechStretch[] = []
  for (const [i, { start, end }] of stretches.entries()) {
    const last = fitted.at(-1)?.end ?? 0
    const next = stretches[i + 1]?.start ?? sound.length
    const first = await locate(start, async (at) => riseBefore(sound, at, { last, end }))
    const behind = await locate(end, async (at) => fallAfter(sound, at, { start, next }))
    const whole = {
      start: Math.max(last, first ?? start - Math.min(start - last, delay)),
      end: Math.min(next, behind ?? end),
    }
    if (whole.start < whole.end) fitted.push(whole)
  }
  return fitted
}

/** Undefined if the sound neither rises nor falls at the reported edge. */
async function locate(
  told: number,
  look: (at: number) => Promise<number | undefined>,
): Promise<number | undefined> {
  let found = await look(told)
  for (let looks = 1; looks < mostLooks && found !== undefined; looks++) {
    const again: number | undefined = await look(found)
    if (again === undefined || again === found) break
    found = again
  }
  return found
}

async function riseBefore(
  sound: SampledSound,
  at: number,
  { last, end }: { readonly last: number; readonly end: number },
): Promise<number | undefined> {
  const silence = Math.min(reach.silence, at - last)
  const voice = Math.min(reach.voice, end - at)
  const from = at - silence
  const rise = riseIn(energiesOf(await sound.read(from - half, at + voice + half)), silence)
  return rise === undefined ? undefined : from + rise
}

async function fallAfter(
  sound: SampledSound,
  at: number,
  { start, next }: { readonly start: number; readonly next: number },
): Promise<number | undefined> {
  const silence = Math.min(reach.silence, next - at)
  const voice = Math.min(reach.voice, at - start)
  const from = at - voice
  const energies = energiesOf(await sound.read(from - half, at + silence + half))
  const fall = riseIn(energies.toReversed(), silence)
  return fall === undefined ? undefined : from + energies.length - 1 - fall
}

function energiesOf(samples: Float32Array): Float64Array {
  const energies = new Float64Array(Math.max(0, samples.length - 2 * half))
  let energy = 0
  for (let at = 0; at < samples.length; at++) {
    energy += (samples[at] ?? 0) ** 2
    if (at < 2 * half) continue
    energy -= (samples[at - 2 * half] ?? 0) ** 2
    energies[at - 2 * half] = Math.max(0, energy) / (2 * half) + floor
  }
  return energies
}

/**
 * The place at which the energy has finally risen from its lowest to its highest value after `silence`, where the rest of
 * another voice may be louder; undefined if it does not rise.
 */
function riseIn(energies: Float64Array, silence: number): number | undefined {
  const voice = Math.max(0, Math.min(energies.length - 1, Math.floor(silence)))
  let loudest = voice
  for (let i = voice; i < energies.length; i++) {
    if ((energies[i] ?? 0) > (energies[loudest] ?? 0)) loudest = i
  }
  const high = energies[loudest] ?? 0
  let lowest = high
  for (let i = 0; i < loudest; i++) lowest = Math.min(lowest, energies[i] ?? high)
  const low = Math.max(high / deepest, lowest)
  if (high < low * leastRise) return undefined
  const enough = low * (high / low) ** risen
  let place = loudest
  for (let i = loudest; i >= 0 && place - i <= closure; i--) {
    if ((energies[i] ?? 0) >= enough) place = i
  }
  return place
}
