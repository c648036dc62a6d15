import { alignTokens } from './align-tokens.ts'
import { decodeSound, shortestSound, type Decoded } from './decode-sound.ts'
import type { Stretch } from './find-speech.ts'
import { beforeLoop, certain, findLoop, isThin, suspicious } from './loop-guard.ts'
import { quietestPoint } from './make-windows.ts'
import { sampleRate, type Sound } from './sound-file.ts'
import type { SpeechModels } from './speech-models.ts'
import { beginsWord, type Vocabulary } from './vocabulary.ts'

/** A token with its apparent start and the time of its strongest attention. */
export type TimedToken = {
  readonly token: number
  readonly seconds: number
  readonly peakSeconds: number
  /** How sure the decoder was of it, given the text before it. */
  readonly logProbability: number
}

/** The text of one piece of sound. */
export type Heard = {
  readonly tokens: readonly TimedToken[]
  /** The sum over `judged` tokens of how sure the decoder was. */
  readonly logProbability: number
  readonly judged: number
}

export const longestWindow = 16 * sampleRate
const quietReach = 0.1 * sampleRate
const shortestToSplit = 2.5 * sampleRate
const mostSplits = 2

/** Splits long speech without a pause into pieces that the model can process. */
export async function* piecesOf(sound: Sound, window: Stretch): AsyncGenerator<Stretch> {
  let { start } = window
  while (window.end - start > longestWindow) {
    const samples = await sound.read(start, start + longestWindow)
    const latest = longestWindow - quietReach
    const end = start + quietestPoint(samples, longestWindow / 2, latest, quietReach)
    yield { start, end }
    start = end
  }
  yield { start, end: window.end }
}

type Piece = { readonly samples: Float32Array; readonly offset: number; readonly splits: number }

/** If the decoder loops or stops early, decodes each half of the sound separately. */
export async function decodeWindow(
  models: SpeechModels,
  samples: Float32Array,
  offset: number,
  checkStop: () => void,
): Promise<Heard[]> {
  const heard: Heard[] = []
  const waiting: Piece[] = [{ samples, offset, splits: 0 }]
  for (let piece = waiting.shift(); piece; piece = waiting.shift()) {
    if (piece.samples.length < shortestSound) continue
    const decoded = await decodeSound(models, piece.samples, checkStop)
    if (isDoubtful(decoded, piece, models.vocabulary)) waiting.unshift(...halvesOf(piece))
    else heard.push(timed(decoded, piece))
  }
  return heard
}

function isDoubtful(decoded: Decoded, piece: Piece, vocabulary: Vocabulary): boolean {
  if (piece.splits >= mostSplits || piece.samples.length < shortestToSplit) return false
  if (findLoop(decoded.tokens, piece.splits === 0 ? suspicious : certain)) return true
  const words = decoded.tokens.filter((token) => beginsWord(vocabulary, token)).length
  return isThin(words, piece.samples.length / sampleRate)
}

function halvesOf({ samples, offset, splits }: Piece): Piece[] {
  const { length } = samples
  const cut = quietestPoint(samples, Math.floor(length * 0.3), Math.floor(length * 0.7), quietReach)
  return [
    { samples: samples.slice(0, cut), offset, splits: splits + 1 },
    { samples: samples.slice(cut), offset: offset + cut, splits: splits + 1 },
  ]
}

function timed(decoded: Decoded, { samples, offset }: Piece): Heard {
  const places = alignTokens(decoded.attention, decoded.frames)
  const samplesPerFrame = samples.length / Math.max(1, decoded.frames)
  const secondsAt = (frame = 0): number => (offset + frame * samplesPerFrame) / sampleRate
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
