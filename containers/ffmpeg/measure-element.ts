import { rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Element } from '../../worker/contract/options/elements/elements.ts'
import { jsonOf } from '../../worker/contract/input/parse-input.ts'
import { checkClaims } from '../claims/check-claims.ts'
import { JobError } from '../errors/job-error.ts'
import { guardedInput, guardedGlobals, writingGlobals } from '../graph/compile-args.ts'
import type { MeasureRequest } from './measure-media.ts'
import { takeVideo } from './take-video.ts'
import { type ToolContext, readTool, runTool } from './process/run-tool.ts'
import {
  knownSounds,
  sniffFormat,
  type SniffedPicture,
  type SoundSource,
  type Sniffed,
} from '../../worker/contract/video/sniff-format.ts'
import { foundAs, headOf } from './identify-file.ts'
import { measurePicture, measureStill, type GifFacts, type StillFacts } from './measure-picture.ts'
import { runFfmpeg } from './process/run-ffmpeg.ts'
import { keepsChannels } from './keeps-channels.ts'
import { progressReader } from './process/read-progress.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'

type MovieFacts = { readonly kind: 'movie'; readonly media: MediaFacts }

export type VisualFacts = StillFacts | GifFacts | MovieFacts

/** The only demuxer that may open each format. */
export const soundDemuxers = {
  ...{ mp3: 'mp3', m4a: 'mov', wav: 'wav', flac: 'flac', ogg: 'ogg' },
} as const satisfies Record<SoundSource, string>

type SoundFacts = {
  readonly kind: 'sound'
  readonly demuxer: (typeof soundDemuxers)[SoundSource]
  readonly streamIndex: number
  readonly channels: number
  /** The length of the decoded sound, exact to the sample. */
  readonly seconds: number
}

/** What was measured of an element's file. */
export type ElementFacts = VisualFacts | SoundFacts

/** The types of elements that use a file. */
export type MediaType = Exclude<Element['type'], 'text' | 'blur'>

/**
 * Finds out what an element's file really is. Its bytes decide, and only the formats that the element's type allows are
 * opened.
 */
export async function measureElement(
  tools: ToolContext,
  request: MeasureRequest & { readonly type: MediaType },
): Promise<ElementFacts> {
  switch (request.type) {
    case 'image':
      return measureImage(tools, request)
    case 'gif':
      return measureGif(tools, request)
    case 'video':
      return { kind: 'movie', media: await measureMovie(tools, request) }
    case 'audio':
      return measureSound(tools, request)
  }
}

/** Elements are recognised by the names of their files, so one put into another container keeps the name of its original. */
async function measureMovie(tools: ToolContext, request: MeasureRequest): Promise<MediaFacts> {
  const taken = await takeVideo(tools, request).catch(failElement)
  const [from, to] = [taken.path, request.path].map((name) => path.join(tools.folder, name))
  if (from !== undefined && to !== undefined && from !== to) await rename(from, to)
  return taken.facts
}

/** A file that is too large or too damaged for a source cannot serve as an element either. */
export function failElement(error: unknown): never {
  if (!(error instanceof JobError) || !error.reason.startsWith('source_')) throw error
  throw new JobError('element_unusable', error.message, { cause: error })
}

const imageFormats = ['jpg', 'png', 'webp', 'avif'] as const satisfies SniffedPicture[]

async function measureImage(tools: ToolContext, request: MeasureRequest): Promise<StillFacts> {
  const head = await headOf(path.join(tools.folder, request.path))
  const found = await sniffFormat(head)
  // The sniffer calls a PNG that moves by another name; ffmpeg shows its first picture.
  const known = isPng(head) ? 'png' : isJpeg(head) ? 'jpg' : formatOf(found)
  const format = imageFormats.find((one) => one === known)
  if (!format) {
    const hint = known === 'gif' ? ' The element for it has the type gif.' : ''
    throw wrongKind(
      request,
      `a JPEG, PNG, WebP or AVIF picture${foundAs(found, head.length)}.${hint}`,
    )
  }
  const facts = await measureStill(tools, { ...request, format }).catch(failElement)
  return format === 'webp' || format === 'avif' ? drawAsPng(tools, request, facts) : facts
}

async function measureGif(
  tools: ToolContext,
  request: MeasureRequest,
): Promise<GifFacts | StillFacts> {
  const head = await headOf(path.join(tools.folder, request.path))
  const found = await sniffFormat(head)
  const format = formatOf(found)
  if (format === 'gif') return measurePicture(tools, { ...request, format }).catch(failElement)
  const hint = format === undefined ? '' : ' The element for it has the type image.'
  throw wrongKind(request, `a GIF${foundAs(found, head.length)}.${hint}`)
}

/** Replaces the file with its picture, so that everything else deals only with PNG and JPEG. */
async function drawAsPng(
  tools: ToolContext,
  { path: name }: MeasureRequest,
  { width, height, hasAlpha, demuxer }: StillFacts,
): Promise<StillFacts> {
  const drawn = `${name}-drawn`
  const exact = `scale=flags=bicubic+accurate_rnd+full_chroma_int,format=${hasAlpha ? 'rgba' : 'rgb24'}`
  const args = [
    ...writingGlobals,
    ...['-threads', '1', '-max_pixels', String(tools.maxPixels), ...guardedInput(name, demuxer)],
    ...['-map', '0:v:0', '-vf', exact, '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe'],
    `file:${drawn}`,
  ]
  await runFfmpeg(tools, { args })
  await rename(path.join(tools.folder, drawn), path.join(tools.folder, name))
  return { kind: 'still', demuxer: 'png_pipe', width, height, hasAlpha }
}

function formatOf(found: Sniffed): SniffedPicture | undefined {
  return found.kind === 'picture' ? found.format : undefined
}

function isPng(head: Buffer): boolean {
  return head.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n'
}

function isJpeg(head: Buffer): boolean {
  return head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff
}

function wrongKind({ field }: MeasureRequest, what: string): JobError {
  return new JobError('element_unusable', `${field}: the file is not ${what}`)
}

/**
 * Measures the file of an audio element. It decodes all of it: the header of an MP3 does not say exactly where the
 * sound ends, and a fade-out must end there.
 */
async function measureSound(tools: ToolContext, request: MeasureRequest): Promise<SoundFacts> {
  const head = await headOf(path.join(tools.folder, request.path))
  const found = await sniffFormat(head)
  if (found.kind !== 'sound') {
    throw wrongKind(request, `a sound${foundAs(found, head.length)}. Known are ${knownSounds}.`)
  }
  const demuxer = soundDemuxers[found.format]
  const file = path.join(tools.folder, request.path)
  const held = { ...request, sizeBytes: (await stat(file)).size }
  await checkClaims(file, found.format, held, tools.signal).catch(failElement)
  const [{ seconds, stderrTail }, stream] = await Promise.all([
    decodedSeconds(tools, request, demuxer),
    firstSound(tools, request, demuxer),
  ])
  if (seconds <= 0 || !stream) {
    throw unusable(request, 'the sound cannot be decoded.', new Error(stderrTail))
  }
  if (seconds > request.maxSeconds) {
    const most = `the ${request.maxSeconds} seconds that are allowed`
    throw unusable(request, `the sound is longer than ${most}.`)
  }
  const { index: streamIndex, channels, codec_name: codec } = stream
  const track = { path: request.path, demuxer, streamIndex, codec }
  if (!(await keepsChannels(tools, track))) {
    throw unusable(request, 'the sound changes its number of channels or its sampling rate midway.')
  }
  return { kind: 'sound', demuxer, streamIndex, seconds, channels }
}

function unusable({ field }: MeasureRequest, why: string, cause?: Error): JobError {
  return new JobError('element_unusable', `${field}: ${why}`, { cause })
}

const soundStream = z.object({ index: z.int(), codec_name: z.string(), channels: z.int().min(1) })
const soundStreams = z.object({ streams: z.tuple([soundStream]) })

async function firstSound(
  tools: ToolContext,
  { path }: MeasureRequest,
  demuxer: string,
): Promise<z.infer<typeof soundStream> | undefined> {
  const entries = ['-show_entries', 'stream=index,codec_name,channels', '-of', 'json']
  const asked = ['-v', 'error', '-select_streams', 'a:0', ...entries]
  const { stdout } = await readTool(tools, 'ffprobe', [...asked, ...guardedInput(path, demuxer)])
  return soundStreams.safeParse(jsonOf(stdout)).data?.streams[0]
}

/** Exact to the sample, because it counts the decoded samples. */
async function decodedSeconds(
  tools: ToolContext,
  { path, maxSeconds }: MeasureRequest,
  demuxer: string,
): Promise<{ seconds: number; stderrTail: string }> {
  let seconds = 0
  const reader = progressReader(tools.limits.stallMs, ({ outSeconds }) => {
    seconds = outSeconds
  })
  const { stderrTail } = await runTool(
    tools,
    'ffmpeg',
    [
      ...guardedGlobals,
      ...['-progress', 'pipe:1', '-stats_period', '0.5', '-threads', '1'],
      ...guardedInput(path, demuxer),
      ...['-map', '0:a:0', '-af', 'asetpts=N/SR/TB', '-t', String(maxSeconds + 1)],
      ...['-f', 'null', '-'],
    ],
    reader,
  )
  return { seconds, stderrTail }
}
