import { hash } from 'node:crypto'
import { z } from 'zod'
import { jsonOf } from '../../../worker/contract/input/parse-input.ts'
import { compileArgs } from '../../graph/compile-args.ts'
import type { Stream } from '../../graph/filter-graph.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import type { Log } from '../../errors/log.ts'
import type { TakenVideo } from '../../ffmpeg/take-video.ts'
import type { KeptBytes, KeptMeasures } from '../../sound/kept-bytes.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { Fetched, JobContext } from '../job-context.ts'
import { work, type Work } from '../report/work-kinds.ts'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { mostWindowText } from '../../../worker/contract/job/part-job.ts'
import type { KeptTexts } from '../../speech/kept-windows.ts'

type OnceContext = Pick<JobContext, 'remembered' | 'reporter'> & {
  readonly log: (...line: Parameters<Log>) => void
}

/** `noteMeasured`: counts a measurement that could not be looked up. */
export type JobMeasures = KeptMeasures & { readonly noteMeasured: () => void }

/**
 * Where the measurements of a job's sources, which last this long together, are kept; undefined if nowhere. `usual`: the work
 * of measuring them. A job that finds some and makes the rest tells nothing about the speed of this machine, because
 * measurements differ in what they take.
 */
export function keptMeasures(
  { remembered, reporter, log }: OnceContext,
  { sources }: Pick<Fetched, 'sources'>,
  { seconds, usual }: { readonly seconds: number; readonly usual: Work | undefined },
): JobMeasures | undefined {
  if (!remembered) return undefined
  const kept = keepInPieces(remembered.words, log)
  let [found, measured] = [0, 0]
  const tell = (): void => {
    if (found === 0) return
    const some = usual && { ...usual, isMixed: true }
    reporter.expect({ measuring: measured > 0 ? some : work('measuring again', seconds) })
  }
  const noteMeasured = (): void => {
    measured += 1
    tell()
  }
  const find: KeptBytes['find'] = async (name) => {
    const bytes = await kept.find(name)
    if (!bytes) {
      noteMeasured()
      return undefined
    }
    found += 1
    log('info', 'An earlier job has measured this', { bytes: bytes.length })
    tell()
    return bytes
  }
  // After the files of the sources comes a sound that replaces theirs, which is not measured here.
  return {
    bytes: { ...kept, find },
    hashes: remembered.hashes.slice(0, sources.length),
    noteMeasured,
  }
}

/** The search in the pictures of one clip. */
type LookedAtClip<Found> = {
  readonly what: string
  readonly clip: Clip
  /** Everything that is done to its pictures before they are examined. */
  readonly shown: Stream<'video'>
  readonly schema: z.ZodType<Found>
}

export type MeasureOnce = <Found>(
  looked: LookedAtClip<Found>,
  measure: () => Promise<Found>,
) => Promise<Found>

/**
 * Examines the pictures of a clip, unless an earlier job of the account has done the same with the same bytes. The clip is
 * named by its own source, so that it is recognised when it is joined with others, and by its bytes as they came, whatever
 * container its packets were put into. A clip drawn for this job, such as a still that is shown for a while, depends on more
 * than the bytes of a source, and is examined each time.
 */
export function measureOnce(
  kept: JobMeasures | undefined,
  taken: readonly TakenVideo[],
): MeasureOnce {
  return async ({ what, clip, shown, schema }, measure) => {
    const { path } = storedStream(clip.video).from
    const source = kept?.hashes[taken.findIndex((one) => one.path === path && !one.isDrawn)]
    if (!kept || source === undefined) {
      kept?.noteMeasured()
      return measure()
    }
    const name = nameOf(what, source, { shown, path, facts: clip.facts.video })
    const bytes = await kept.bytes.find(name)
    const said = bytes && z.object({ found: schema }).safeParse(jsonOf(bytes.toString())).data
    if (said) return said.found
    if (bytes) kept.noteMeasured()
    const measured = await measure()
    await kept.bytes.keep(name, Buffer.from(JSON.stringify({ found: measured })))
    return measured
  }
}

type Showing = {
  readonly shown: Stream<'video'>
  readonly path: string
  readonly facts: Clip['facts']['video']
}

/** Without the name of the file in the job folder, which depends on its place in the request and does not matter. */
function nameOf(what: string, source: string, { shown, path, facts }: Showing): string {
  const tracks = [{ stream: shown, coding: [] }]
  const { args, files } = compileArgs({ tracks, muxing: [], path: '', threads: 1, maxPixels: 1 })
  const made = args.map((one) => (one === `file:${path}` ? 'file:' : one))
  return hash('sha256', JSON.stringify({ what, hash: source, made, files, facts }))
}

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** A higher quality saves a twentieth of the bytes, and takes five times as long. */
const quality = { [constants.BROTLI_PARAM_QUALITY]: 5 }
/** A piece in base64 is no longer than a text may be. */
const pieceBytes = Math.floor(mostWindowText / 4) * 3
/** As many as the noise in two hours of speech in rain takes; other measurements take less. */
const mostPieces = 100
/** The limit before compression. */
const mostBytes = 1_000_000_000

const head = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  pieces: z.int().min(1).max(mostPieces),
  bytes: z.int().min(1).max(mostBytes),
})

/**
 * Keeps bytes as texts: a head under their name, which describes them, and pieces named after their content, so that pieces of
 * two jobs are never mixed. After the first piece that cannot be kept, no other is tried.
 */
export function keepInPieces(texts: KeptTexts, log: (...line: Parameters<Log>) => void): KeptBytes {
  const textOf = async (name: string) => (await texts.find([name])).get(name)
  const takes: KeptBytes['takes'] = (bytes) => {
    if (texts.isOff()) return false
    const hasRoom = bytes <= mostPieces * pieceBytes
    if (!hasRoom) log('info', 'What was measured is too large to be kept', { bytes })
    return hasRoom
  }
  return {
    takes,
    async find(name) {
      const said = readHead(await textOf(name))
      if (!said) return undefined
      const pieces: Buffer[] = []
      for (let i = 0; i < said.pieces; i++) {
        const text = await textOf(pieceName(said.sha256, i))
        if (text === undefined) return undefined
        pieces.push(Buffer.from(text, 'base64'))
      }
      const packed = Buffer.concat(pieces)
      if (hash('sha256', packed) !== said.sha256) return undefined
      return decompress(packed, { maxOutputLength: said.bytes })
    },
    async keep(name, bytes) {
      if (bytes.length === 0 || bytes.length > mostBytes || texts.isOff()) return
      const packed = await compress(bytes, { params: quality })
      if (!takes(packed.length)) return
      const pieces = Math.ceil(packed.length / pieceBytes)
      const sha256 = hash('sha256', packed)
      for (let i = 0; i < pieces; i++) {
        const piece = packed.subarray(i * pieceBytes, (i + 1) * pieceBytes)
        if (!(await texts.keep(pieceName(sha256, i), piece.toString('base64')))) return
      }
      await texts.keep(name, JSON.stringify({ sha256, pieces, bytes: bytes.length }))
    },
  }
}

function readHead(text: string | undefined) {
  if (text === undefined) return undefined
  return head.safeParse(jsonOf(text)).data
}

const pieceName = (sha256: string, i: number): string => hash('sha256', `piece ${i} ${sha256}`)
