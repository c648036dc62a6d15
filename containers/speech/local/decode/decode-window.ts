import type { PieceText } from '../recogniser.ts'
import type { SpeechStretch } from '../find-speech.ts'
import { beforeLoop } from './loop-guard.ts'
import { quietest } from '../make-windows.ts'
import type { DecodedText, SoundExcerpt, Recogniser } from '../recogniser.ts'
import type { SampledSound } from '../sound-file.ts'
import { speechRate } from '../../../sound/speech-sound.ts'

const quietReach = 0.1 * speechRate
/** Longer than the silence inside a word, shorter than a breath. */
const pauseReach = 0.15 * speechRate
const shortestToSplit = 2.5 * speechRate
const mostSplits = 2
/** Models need a few frames. */
const shortestSound = 0.1 * speechRate
/** A model that stops earlier than this has lost track, and would stop again. */
const leastProgress = speechRate
/** The rest of a window must be long enough for a word. */
const leastRest = 0.4 * speechRate

/** A part of long speech is at least this share of the longest that there may be. */
const leastShare = 0.25
const samplesAtOnce = 60 * speechRate

/**
 * Splits long speech at its quietest point, and its parts again, until none is too long. So the parts of a speech depend on the
 * sound near them, and are the same in whatever part of a film it is; pauses from the detector would not be.
 */
export async function* piecesOf(
  sound: SampledSound,
  window: SpeechStretch,
  longest: number,
): AsyncGenerator<SpeechStretch> {
  const waiting = [window]
  const least = longest * leastShare
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    const { start, end } = part
    if (end - start <= longest) yield part
    else {
      const cut = await quietestIn(sound, start + least, end - least)
      // The earlier part is taken first.
      waiting.push({ start: cut, end }, { start, end: cut })
    }
  }
}

/** Reads in pieces, because hours of speech do not fit into memory. */
async function quietestIn(sound: SampledSound, from: number, to: number): Promise<number> {
  let [cut, least] = [from, Infinity]
  for (let at = from; at < to; at += samplesAtOnce) {
    const first = at - pauseReach
    const end = Math.min(to, at + samplesAtOnce)
    const samples = await sound.read(first, end + pauseReach)
    const { at: found, energy } = quietest(samples, pauseReach, end - first, pauseReach)
    if (energy < least) [cut, least] = [first + found, energy]
  }
  return cut
}

type WindowPiece = SoundExcerpt & { readonly splits: number }

/** If the decoder loops or stops early, decodes each half, or the rest, of the sound separately. */
export async function decodeWindow(
  recogniser: Recogniser,
  excerpt: SoundExcerpt,
  checkStop: () => void,
): Promise<PieceText[]> {
  const heard: PieceText[] = []
  const waiting: WindowPiece[] = [{ ...excerpt, splits: 0 }]
  for (let piece = waiting.shift(); piece; piece = waiting.shift()) {
    if (piece.samples.length < shortestSound) continue
    const decoded = await recogniser.decode(piece, checkStop)
    if (canSplit(piece) && recogniser.isDoubtful(decoded, piece, piece.splits)) {
      waiting.unshift(...halvesOf(piece))
      continue
    }
    heard.push(timed(decoded, piece))
    waiting.unshift(...restOf(decoded, piece))
  }
  return heard
}

const canSplit = ({ splits, samples }: WindowPiece): boolean =>
  splits < mostSplits && samples.length >= shortestToSplit

function halvesOf({ samples, offset, splits }: WindowPiece): WindowPiece[] {
  const { length } = samples
  const [from, to] = [Math.floor(length * 0.3), Math.floor(length * 0.7)]
  const { at: cut } = quietest(samples, from, to, quietReach)
  return [
    { samples: samples.slice(0, cut), offset, splits: splits + 1 },
    { samples: samples.slice(cut), offset: offset + cut, splits: splits + 1 },
  ]
}

function restOf(
  { heardSamples }: DecodedText,
  { samples, offset, splits }: WindowPiece,
): WindowPiece[] {
  if (heardSamples === undefined || heardSamples < leastProgress) return []
  if (samples.length - heardSamples < leastRest) return []
  return [{ samples: samples.slice(heardSamples), offset: offset + heardSamples, splits }]
}

function timed(decoded: DecodedText, { offset }: WindowPiece): PieceText {
  const places = decoded.place()
  const secondsAt = (sample = 0): number => (offset + sample) / speechRate
  return {
    tokens: beforeLoop(decoded.tokens).map((token, index) => ({
      token,
      seconds: secondsAt(places[index]?.start),
      peakSeconds: secondsAt(places[index]?.peak),
      logProbability: decoded.logProbabilities[index] ?? 0,
    })),
    logProbability: decoded.logProbabilities.reduce((sum, value) => sum + value, 0),
    judged: decoded.logProbabilities.length,
  }
}
