import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { stackOf } from '../../errors/log.ts'
import type { HearTask } from '../../parts/part-carrier.ts'
import { workInParts } from '../../parts/work-in-parts.ts'
import type { SpeechStretch } from '../../speech/local/find-speech.ts'
import type { HeardPiece } from '../../speech/local/recogniser.ts'
import type { HearHere, ShareHearing, ToHear } from '../../speech/share-hearing.ts'
import { speechRate } from '../../sound/speech-sound.ts'
import type { JobContext } from '../job-context.ts'

/** A media worker hears a minute of speech in two or three seconds, and needs about as long to begin. */
const leastSpeechSeconds = 60
const bytesOfSample = 4

/** How a long sound is heard by several media workers; undefined if it is short, or if none of the others is idle. */
export async function sharedHearing(
  context: JobContext,
  seconds: number,
  leastSeconds = leastSpeechSeconds,
): Promise<ShareHearing | undefined> {
  const { carrier, job } = context
  if (!carrier?.hear || !job.options.split || seconds < 2 * leastSeconds) return undefined
  const { idle, beside, hears } = await carrier.idle()
  const elsewhere = idle - beside + Math.min(beside, availableParallelism() - 1)
  if (!hears || elsewhere < 1) return undefined
  const most = (speechSeconds: number) => Math.floor(speechSeconds / leastSeconds)
  return async (toHear, hearHere) => hearInParts(context, toHear, { hearHere, elsewhere, most })
}

type Hearing = {
  readonly hearHere: HearHere
  /** How many others hear some of it, and how many ranges so much speech is worth. */
  readonly elsewhere: number
  readonly most: (speechSeconds: number) => number
}

/** Each range is heard as it would be with all others: a recogniser takes each piece by itself. */
async function hearInParts(
  { tools, carrier, log }: JobContext,
  toHear: ToHear,
  { hearHere, elsewhere, most }: Hearing,
): Promise<readonly HeardPiece[] | undefined> {
  const speechSeconds = samplesIn(toHear.pieces) / speechRate
  const ranges = rangesOf(toHear.pieces, Math.min(elsewhere + 1, most(speechSeconds)))
  if (!carrier?.hear || ranges.length < 2) return hearHere(toHear.pieces, tools.signal)
  const tasks = ranges.map((pieces, n) => taskOf(toHear, pieces, n))
  const hearThere = carrier.hear.bind(carrier)
  const excerpts = new Map<HearTask, Promise<void>>()
  try {
    const heard = await workInParts({
      ...{ tasks, begin: () => carrier.begin?.(), signal: tools.signal },
      ...{ here: 1, elsewhere: Math.min(elsewhere, ranges.length - 1) },
      sizeOf: ({ spec }) => samplesIn(spec.pieces),
      workHere: async ({ n, spec }, signal) => ({ n, pieces: await hearHere(spec.pieces, signal) }),
      async workElsewhere(task, signal) {
        const excerpt = excerpts.get(task) ?? writeExcerpt(tools.folder, toHear, task)
        excerpts.set(task, excerpt)
        await excerpt
        const result = await hearThere(task, signal)
        return result && { n: task.n, pieces: await readPieces(tools.folder, result.file) }
      },
      onProgress: () => undefined,
      onFailure: ({ n }, error) =>
        log('warn', 'A part of a sound was not heard', { n, fault: stackOf(error) }),
    })
    return heard.flatMap(({ pieces }) => pieces)
  } catch (error) {
    tools.signal.throwIfAborted()
    log('warn', 'A sound was not heard in parts; it is heard here', { fault: stackOf(error) })
    return undefined
  } finally {
    await Promise.allSettled(excerpts.values())
    const names = tasks.map(({ spec }) => spec.files[0].name)
    await Promise.all(names.map(async (name) => rm(path.join(tools.folder, name), { force: true })))
  }
}

/** As many ranges, or fewer, with about as much speech in each. */
function rangesOf(pieces: readonly SpeechStretch[], number: number): SpeechStretch[][] {
  const all = samplesIn(pieces)
  const ranges = Array.from({ length: Math.max(1, number) }, (): SpeechStretch[] => [])
  let heard = 0
  for (const piece of pieces) {
    const middle = heard + (piece.end - piece.start) / 2
    ranges[Math.min(ranges.length - 1, Math.floor((middle / all) * ranges.length))]?.push(piece)
    heard += piece.end - piece.start
  }
  return ranges.filter((range) => range.length > 0)
}

function samplesIn(pieces: readonly SpeechStretch[]): number {
  return pieces.reduce((sum, { start, end }) => sum + end - start, 0)
}

function taskOf({ length, model, language }: ToHear, pieces: SpeechStretch[], n: number): HearTask {
  const from = Math.max(0, pieces[0]?.start ?? 0)
  const files: HearTask['spec']['files'] = [{ name: `hear-${n}.f32` }]
  const known = language === undefined ? {} : { language }
  return { n, spec: { kind: 'hear', version: 1, files, from, length, pieces, model, ...known } }
}

async function writeExcerpt(
  folder: string,
  { soundPath, length }: ToHear,
  { spec: { files, from, pieces } }: HearTask,
): Promise<void> {
  const end = Math.min(length, pieces.at(-1)?.end ?? length)
  const bytes = { start: from * bytesOfSample, end: end * bytesOfSample - 1 }
  const excerpt = createWriteStream(path.join(folder, files[0].name))
  await pipeline(createReadStream(soundPath, bytes), excerpt)
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

async function readPieces(folder: string, name: string): Promise<readonly HeardPiece[]> {
  const file = path.join(folder, name)
  try {
    return heardPieces.parse(JSON.parse(await readFile(file, 'utf8')))
  } finally {
    await rm(file, { force: true })
  }
}
