import { readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { stackOf } from '../../errors/log.ts'
import type { HearTask } from '../../parts/part-carrier.ts'
import { workInParts } from '../../parts/work-in-parts.ts'
import { type SpeechStretch, totalSamples } from '../../speech/local/find-speech.ts'
import type { HeardPiece } from '../../speech/local/recogniser.ts'
import {
  tellHeard,
  type HearHere,
  type OnHeard,
  type ShareHearing,
  type ToHear,
} from '../../speech/share-hearing.ts'
import type { JobContext } from '../job-context.ts'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { speechRate } from '../../sound/speech-sound.ts'

/** Seconds of speech in a window: a media worker transcribes a minute in two or three seconds, and begins in about as long. */
const usualLengths: WindowLengths = { least: 60, most: 120 }

type HearingContext = Pick<JobContext, 'carrier' | 'job' | 'tools' | 'log' | 'kept'>
/** `alone`: other media workers have other work to do for this job. */
type HearingOptions = { readonly alone?: boolean; readonly lengths?: WindowLengths }

/** How a long sound is transcribed: in windows that are kept, by all idle media workers; undefined if it is short. */
export async function windowHearing(
  context: HearingContext,
  seconds: number,
  { alone = false, lengths = usualLengths }: HearingOptions = {},
): Promise<ShareHearing | undefined> {
  if (seconds < 2 * lengths.least) return undefined
  const elsewhere = alone ? 0 : await countOthers(context)
  return async (toHear, hearHere, onShare) => {
    const windows = windowsOf(toHear, lengths)
    return new WindowHearing(context, { toHear, windows, onShare }).hear(hearHere, elsewhere)
  }
}

/** How many other media workers would take some of the windows. */
async function countOthers({ carrier, job }: HearingContext): Promise<number> {
  if (!carrier?.hear || !job.options.split) return 0
  const { idle, beside } = await carrier.idle()
  return idle - beside + Math.min(beside, availableParallelism() - 1)
}

type HeardWindow = { readonly n: number; readonly pieces: readonly HeardPiece[] }

type Windows = {
  readonly toHear: ToHear
  readonly windows: readonly HearTask[]
  readonly onShare: OnHeard
}

/** One sound in windows. Each is transcribed as it would be with all others: a recogniser takes each piece by itself. */
class WindowHearing {
  readonly #context: HearingContext
  readonly #of: Windows
  readonly #names = new Map<number, string>()
  readonly #heard = new Map<number, readonly HeardPiece[]>()
  /** How many windows an earlier attempt has transcribed. */
  #before = 0

  constructor(context: HearingContext, of: Windows) {
    this.#context = context
    this.#of = of
  }

  async hear(hearHere: HearHere, elsewhere: number): Promise<readonly HeardPiece[]> {
    const { tools, log } = this.#context
    await this.#findKept()
    this.#tellShare()
    if (elsewhere > 0 && this.#left().length > 1) {
      try {
        await this.#hearTogether(hearHere, elsewhere)
      } catch (error) {
        tools.signal.throwIfAborted()
        log('warn', 'A sound was not heard by several; the rest is heard here', {
          fault: stackOf(error),
        })
      }
    }
    for (const { n, spec } of this.#left()) {
      await this.#keep({ n, pieces: await hearHere(spec.pieces, tools.signal) })
    }
    return this.#of.windows.flatMap(({ n }) => this.#heard.get(n) ?? [])
  }

  #left(): HearTask[] {
    return this.#of.windows.filter(({ n }) => !this.#heard.has(n))
  }

  /** Finds the windows of the same sound that an earlier attempt has transcribed. */
  async #findKept(): Promise<void> {
    const { kept, tools, log } = this.#context
    const { toHear, windows } = this.#of
    if (!kept) return
    for (const window of windows) {
      tools.signal.throwIfAborted()
      this.#names.set(window.n, await nameOf(toHear, window))
    }
    const found = await kept.find([...this.#names.values()])
    for (const { n, spec } of windows) {
      const text = found.get(this.#names.get(n) ?? '')
      if (text !== undefined) this.#heard.set(n, parsePieces(text, spec.pieces))
    }
    this.#before = this.#heard.size
    if (this.#before === 0) return
    log('info', 'Windows of the sound were heard before', {
      before: this.#before,
      of: windows.length,
    })
  }

  async #keep({ n, pieces }: HeardWindow): Promise<HeardWindow> {
    const { kept } = this.#context
    const name = this.#names.get(n)
    const isFirst = !this.#heard.has(n)
    this.#heard.set(n, pieces)
    if (isFirst && kept && name !== undefined) await kept.keep(name, JSON.stringify(pieces))
    this.#tellShare()
    return { n, pieces }
  }

  #tellShare(): void {
    tellHeard(this.#of.onShare, this.#heard.size, this.#before, this.#of.windows.length)
  }

  async #hearTogether(hearHere: HearHere, elsewhere: number): Promise<void> {
    const { tools, carrier, log } = this.#context
    const tasks = this.#left()
    const excerpts = new Map<HearTask, Promise<void>>()
    try {
      await workInParts<HearTask, HeardWindow>({
        ...{ tasks, signal: tools.signal },
        ...{ here: 1, elsewhere: Math.min(elsewhere, tasks.length - 1) },
        sizeOf: ({ spec }) => totalSamples(spec.pieces),
        workHere: async ({ n, spec }, signal) =>
          this.#keep({ n, pieces: await hearHere(spec.pieces, signal) }),
        workElsewhere: async (task, signal) => {
          const excerpt = excerpts.get(task) ?? writeExcerpt(tools.folder, this.#of.toHear, task)
          excerpts.set(task, excerpt)
          await excerpt
          const result = await carrier?.hear?.(task, signal)
          if (!result) return undefined
          const pieces = await readPieces(tools.folder, result.file, task.spec.pieces)
          await rm(path.join(tools.folder, task.spec.files[0].name), { force: true })
          return this.#keep({ n: task.n, pieces })
        },
        onProgress: () => undefined,
        onFailure: ({ n }, error) =>
          log('warn', 'A part of a sound was not heard', { n, fault: stackOf(error) }),
      })
    } finally {
      await Promise.allSettled(excerpts.values())
      const names = tasks.map(({ spec }) => spec.files[0].name)
      await Promise.all(
        names.map(async (name) => rm(path.join(tools.folder, name), { force: true })),
      )
    }
  }
}

async function readPieces(
  folder: string,
  name: string,
  pieces: readonly SpeechStretch[],
): Promise<readonly HeardPiece[]> {
  const file = path.join(folder, name)
  try {
    return parsePieces(await readFile(file, 'utf8'), pieces)
  } finally {
    await rm(file, { force: true })
  }
}

const bytesOfSample = 4

/** The range of seconds of speech in each window: asking another media worker is worth it from a minute on. */
type WindowLengths = { readonly least: number; readonly most: number }
/** About how many windows a sound is divided into, unless they would be too short or too long. */
const usualWindows = 32

/** Divides the pieces into windows with about as much speech in each. A piece ends at a pause, so every window does. */
function windowsOf(toHear: ToHear, { least, most }: WindowLengths): HearTask[] {
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
async function writeExcerpt(folder: string, toHear: ToHear, task: HearTask): Promise<void> {
  const excerpt = createWriteStream(path.join(folder, task.spec.files[0].name))
  await pipeline(samplesOf(toHear, task), excerpt)
}

/** Names a window by its samples, its pieces, the model and the names to know: equal names mean equal sound, from any file. */
async function nameOf(toHear: ToHear, task: HearTask): Promise<string> {
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

/** Throws if the text is not the output of a recogniser for these pieces. */
function parsePieces(text: string, pieces: readonly SpeechStretch[]): HeardPiece[] {
  const parsed = heardPieces.parse(JSON.parse(text))
  const isSame = (one: SpeechStretch, i: number): boolean =>
    one.start === pieces[i]?.start && one.end === pieces[i].end
  if (parsed.length === pieces.length && parsed.every(isSame)) return parsed
  throw new Error('What was heard is not of this part of the sound')
}
