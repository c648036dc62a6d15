import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { HearTask } from '../../parts/part-carrier.ts'
import type { SpeechStretch } from '../../speech/local/find-speech.ts'
import type { HeardPiece } from '../../speech/local/recogniser.ts'
import type { ToHear } from '../../speech/share-hearing.ts'
import { speechRate } from '../../sound/speech-sound.ts'

const bytesOfSample = 4

/** With each window, in seconds of speech: a minute is what is worth asking another media worker for. */
export type WindowLengths = { readonly least: number; readonly most: number }
/** About how many windows a sound is divided into, as long as none becomes too short or too long. */
const usualWindows = 32

/** The pieces in windows with about as much speech in each. A piece ends at a pause, so every window does. */
export function windowsOf(toHear: ToHear, { least, most }: WindowLengths): HearTask[] {
  const { pieces } = toHear
  const all = totalSamples(pieces)
  const seconds = all / speechRate
  const wanted = Math.min(most, Math.max(least, seconds / usualWindows))
  const windows = Array.from(
    { length: Math.max(1, Math.floor(seconds / wanted)) },
    (): SpeechStretch[] => [],
  )
  let heard = 0
  for (const piece of pieces) {
    const middle = heard + (piece.end - piece.start) / 2
    windows[Math.min(windows.length - 1, Math.floor((middle / all) * windows.length))]?.push(piece)
    heard += piece.end - piece.start
  }
  return windows.filter(({ length }) => length > 0).map((some, n) => taskOf(toHear, some, n))
}

export function totalSamples(pieces: readonly SpeechStretch[]): number {
  return pieces.reduce((sum, { start, end }) => sum + end - start, 0)
}

function taskOf(toHear: ToHear, pieces: SpeechStretch[], n: number): HearTask {
  const { length, model, language, names } = toHear
  const from = Math.max(0, pieces[0]?.start ?? 0)
  const files: HearTask['spec']['files'] = [{ name: `hear-${n}.f32` }]
  const known = {
    ...(language !== undefined && { language }),
    ...(names.length > 0 && { names: [...names] }),
  }
  return { n, spec: { kind: 'hear', version: 1, files, from, length, pieces, model, ...known } }
}

/** Writes the samples of a window into a file of its own, for another media worker. */
export async function writeExcerpt(folder: string, toHear: ToHear, task: HearTask): Promise<void> {
  const excerpt = createWriteStream(path.join(folder, task.spec.files[0].name))
  await pipeline(samplesOf(toHear, task), excerpt)
}

/** Named by its samples, its pieces, the model and the names it leans to: what has the same name sounds the same, whatever file it came from. */
export async function nameOf(toHear: ToHear, task: HearTask): Promise<string> {
  const { from, pieces, model, language, names } = task.spec
  const hash = createHash('sha256').update(JSON.stringify({ from, pieces, model, language, names }))
  await pipeline(samplesOf(toHear, task), hash)
  return hash.digest('hex')
}

function samplesOf({ soundPath, length }: ToHear, { spec: { from, pieces } }: HearTask) {
  const end = Math.min(length, pieces.at(-1)?.end ?? length)
  return createReadStream(soundPath, { start: from * bytesOfSample, end: end * bytesOfSample - 1 })
}

const token = z.object({
  token: z.int(),
  seconds: z.number(),
  peakSeconds: z.number(),
  logProbability: z.number(),
})
const heardPieces = z.array(
  z.object({
    start: z.number(),
    end: z.number(),
    heard: z.array(
      z.object({ tokens: z.array(token), logProbability: z.number(), judged: z.number() }),
    ),
  }),
)

/** Throws if the text is not what a recogniser has written for these pieces. */
export function parsePieces(text: string, pieces: readonly SpeechStretch[]): HeardPiece[] {
  const parsed = heardPieces.parse(JSON.parse(text))
  const isSame = (one: SpeechStretch, i: number): boolean =>
    one.start === pieces[i]?.start && one.end === pieces[i].end
  if (parsed.length === pieces.length && parsed.every(isSame)) return parsed
  throw new Error('What was heard is not of this part of the sound')
}
