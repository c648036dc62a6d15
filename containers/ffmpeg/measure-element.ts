import { open, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Element } from '../../worker/contract/options/elements/elements.ts'
import { jsonOf } from '../../worker/contract/input/json-of.ts'
import { checkClaims } from '../claims/check-claims.ts'
import { JobError } from '../errors/job-error.ts'
import { guardedInput, guardedGlobals } from '../graph/compile-args.ts'
import { sourceLimits } from '../claims/source-limits.ts'
import { readStill } from './decode-picture.ts'
import { hasAlphaFormat } from './probe/stream-facts.ts'
import type { MeasureRequest } from './measure-media.ts'
import { takeVideo } from './take-video.ts'
import { type ToolContext, readTool, runTool } from './process/run-tool.ts'
import { scanPackets } from './probe/scan-packets.ts'
import { sniffBytes, sniffFormat } from '../../worker/contract/video/sniff-format.ts'
import { keepsChannels } from './keeps-channels.ts'
import { progressReader } from './process/read-progress.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'

/** A single picture, even if it came as a GIF. */
export type StillFacts = {
  readonly kind: 'still'
  readonly demuxer: 'png_pipe' | 'jpeg_pipe' | 'gif' | 'webp_pipe' | 'mov'
  /** As shown: ffmpeg itself applies the EXIF orientation of a photo. */
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
}

export type GifFacts = {
  readonly kind: 'gif'
  readonly width: number
  readonly height: number
  readonly frames: number
  /** The length of one round of the loop, including the time of the last picture. */
  readonly seconds: number
}

type MovieFacts = { readonly kind: 'movie'; readonly media: MediaFacts }

export type VisualFacts = StillFacts | GifFacts | MovieFacts

type SoundFacts = {
  readonly kind: 'sound'
  readonly demuxer: 'mp3' | 'wav'
  readonly channels: number
  /** The length of the decoded sound, exact to the sample. */
  readonly seconds: number
}

/** What was measured of an element's file. */
export type ElementFacts = VisualFacts | SoundFacts

/** The elements that are made of a file. */
export type MediaType = Exclude<Element['type'], 'text' | 'blur'>

type MeasureElementRequest = MeasureRequest & { readonly type: MediaType }

/**
 * Finds out what an element's file really is. Its bytes decide, and only the formats that the element's type allows are
 * opened.
 */
export async function measureElement(
  context: ToolContext,
  request: MeasureElementRequest,
): Promise<ElementFacts> {
  switch (request.type) {
    case 'image':
      return measureImage(context, request)
    case 'gif':
      return measureGif(context, request)
    case 'video':
      return { kind: 'movie', media: await measureMovie(context, request) }
    case 'audio':
      return measureSound(context, request)
  }
}

/** Elements are known by the names of their files, so what was put into another container takes the name of what it was made of. */
async function measureMovie(context: ToolContext, request: MeasureRequest): Promise<MediaFacts> {
  const taken = await takeVideo(context, request).catch(failElement)
  const [from, to] = [taken.path, request.path].map((name) => path.join(context.folder, name))
  if (from !== undefined && to !== undefined && from !== to) await rename(from, to)
  return taken.facts
}

/** A file that is too large or too damaged for a source cannot serve as an element either. */
export function failElement(error: unknown): never {
  if (!(error instanceof JobError) || !error.reason.startsWith('source_')) throw error
  throw new JobError('element_unusable', error.message, { cause: error })
}

export async function measureImage(
  context: ToolContext,
  request: MeasureRequest,
): Promise<StillFacts> {
  const head = await readHead(context.folder, request)
  const demuxer = isPng(head) ? 'png_pipe' : isJpeg(head) ? 'jpeg_pipe' : undefined
  if (!demuxer) throw await wrongKind(request, 'a PNG or JPEG image', head)
  // ffprobe keeps the size of a PNG to itself if it is too large.
  if (isPng(head) && head.length >= 24) {
    const size = { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
    refuseTooLarge(size, request.field, context.maxPixels)
  }
  return decodeStill(context, request, demuxer)
}

export async function measureGif(
  context: ToolContext,
  request: MeasureRequest,
): Promise<GifFacts | StillFacts> {
  const head = await readHead(context.folder, request)
  if (!/^GIF8[79]a/.test(head.toString('latin1', 0, 6))) {
    throw await wrongKind(request, 'a GIF', head)
  }
  const still = await decodeStill(context, request, 'gif')
  const { width, height } = still
  const { count: frames, end: seconds } = await readGif(context, request)
  if (frames < 2) return still
  refuseLongGif(request, still, frames, context.maxPixels)
  return { kind: 'gif', width, height, frames, seconds: Math.max(0, seconds) }
}

async function readGif(context: ToolContext, { path: file, field, maxSeconds }: MeasureRequest) {
  const { size: sizeBytes } = await stat(path.join(context.folder, file))
  return scanPackets(context, {
    ...{ path: file, demuxer: 'gif', streamIndex: 0, startSeconds: 0 },
    held: { field, sizeBytes, maxSeconds, maxPackets: sourceLimits.gifPictures },
  }).catch(failElement)
}

/** A picture of a GIF may take only a few bytes in the file, but every one is drawn in full. */
function refuseLongGif(
  { field }: MeasureRequest,
  { width, height }: StillFacts,
  frames: number,
  maxPixels: number,
): void {
  const most = maxPixels * sourceLimits.gifFrames
  if (width * height * frames <= most) return
  const has = `${frames} pictures of ${width} × ${height}`
  const allowed = `at most ${most.toLocaleString('en')} pixels together are allowed`
  failElement(new JobError('source_too_large', `${field}: the GIF has ${has}; ${allowed}.`))
}

function isPng(head: Buffer): boolean {
  return head.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n'
}

function isJpeg(head: Buffer): boolean {
  return head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff
}

const decoded = z.object({
  frames: z
    .array(
      z.object({
        width: z.int().min(1),
        height: z.int().min(1),
        pix_fmt: z.string(),
        tags: z.object({ Orientation: z.coerce.number().optional() }).optional(),
      }),
    )
    .min(1),
})

const probed = z.object({
  streams: z.array(z.object({ width: z.number().default(0), height: z.number().default(0) })),
})

/** Decodes the first picture, because a picture that cannot be decoded would fail in the middle of the rendering. */
export async function decodeStill(
  context: ToolContext,
  { path: file, field }: MeasureRequest,
  demuxer: StillFacts['demuxer'],
): Promise<StillFacts> {
  const entries = 'stream=width,height:frame=width,height,pix_fmt:frame_tags=Orientation'
  const run = await readStill(context, field, [
    ...['-hide_banner', '-v', 'error', '-threads', '1', '-max_pixels', String(context.maxPixels)],
    ...['-show_entries', entries, '-read_intervals', '%+#1', '-of', 'json'],
    ...guardedInput(file, demuxer),
  ])
  const json = jsonOf(run.stdout)
  refuseTooLarge(probed.safeParse(json).data?.streams[0], field, context.maxPixels)
  const [frame] = decoded.safeParse(json).data?.frames ?? []
  if (!frame) {
    throw new JobError('element_unusable', `${field}: the picture cannot be decoded.`, {
      cause: new Error(run.stderrTail),
    })
  }
  // EXIF orientations from 5 on exchange width and height.
  const isLying = (frame.tags?.Orientation ?? 1) >= 5
  return {
    kind: 'still',
    demuxer,
    width: isLying ? frame.height : frame.width,
    height: isLying ? frame.width : frame.height,
    hasAlpha: hasAlphaFormat(frame.pix_fmt),
  }
}

type Size = { width: number; height: number }

function refuseTooLarge(size: Size | undefined, field: string, maxPixels: number): void {
  if (!size || size.width * size.height <= maxPixels) return
  const found = `the picture is ${size.width} × ${size.height}`
  const allowed = `at most ${maxPixels} pixels are allowed`
  failElement(new JobError('source_too_large', `${field}: ${found}; ${allowed}.`))
}

type ElementFile = { readonly path: string; readonly field: string }

/** Reads the first bytes of an element's file, which decide what kind of file it is. */
async function readHead(folder: string, file: ElementFile): Promise<Buffer> {
  const handle = await open(path.join(folder, file.path))
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function wrongKind({ field }: ElementFile, wanted: string, head: Buffer): Promise<JobError> {
  const found = await sniffFormat(head)
  const name =
    found.kind === 'video'
      ? found.format.toUpperCase()
      : found.kind === 'unknown'
        ? undefined
        : found.name
  const what = head.length === 0 ? ' but empty' : name ? ` but: ${name}` : ''
  return new JobError('element_unusable', `${field}: the file is not ${wanted}${what}.`)
}

/** The demuxer for each format that the bytes show. */
const soundDemuxers = new Map<string, SoundFacts['demuxer']>([
  ['mp3', 'mp3'],
  ['wav', 'wav'],
])

/**
 * Measures the file of an audio element. It decodes all of it: the header of an MP3 does not say exactly where the
 * sound ends, and a fade-out must end there.
 */
async function measureSound(context: ToolContext, request: MeasureRequest): Promise<SoundFacts> {
  const head = await readHead(context.folder, request)
  const found = await sniffFormat(head)
  const demuxer = found.kind === 'sound' ? soundDemuxers.get(found.format) : undefined
  if (!demuxer) throw await wrongKind(request, 'an MP3 or WAV sound', head)
  const file = path.join(context.folder, request.path)
  const held = { ...request, sizeBytes: (await stat(file)).size }
  await checkClaims(file, demuxer, held, context.signal).catch(failElement)
  const [{ seconds, stderrTail }, channels] = await Promise.all([
    decodedSeconds(context, request, demuxer),
    channelsOf(context, request, demuxer),
  ])
  if (seconds <= 0 || channels === undefined) {
    throw unusable(request, 'the sound cannot be decoded.', new Error(stderrTail))
  }
  if (seconds > request.maxSeconds) {
    const most = `the ${request.maxSeconds} seconds that are allowed`
    throw unusable(request, `the sound is longer than ${most}.`)
  }
  const track = { path: request.path, demuxer, streamIndex: 0, codec: demuxer }
  if (!(await keepsChannels(context, track))) {
    throw unusable(request, 'the sound changes its number of channels or its sampling rate midway.')
  }
  return { kind: 'sound', demuxer, seconds, channels }
}

function unusable({ field }: MeasureRequest, why: string, cause?: Error): JobError {
  return new JobError('element_unusable', `${field}: ${why}`, { cause })
}

async function channelsOf(
  context: ToolContext,
  { path }: MeasureRequest,
  demuxer: string,
): Promise<number | undefined> {
  const entries = ['-select_streams', '0', '-show_entries', 'stream=channels', '-of', 'csv=p=0']
  const args = ['-v', 'error', ...entries, ...guardedInput(path, demuxer)]
  const { stdout } = await readTool(context, 'ffprobe', args)
  const channels = Number.parseInt(stdout, 10)
  return channels > 0 ? channels : undefined
}

/** Exact to the sample, because it counts the decoded samples. */
async function decodedSeconds(
  context: ToolContext,
  { path, maxSeconds }: MeasureRequest,
  demuxer: string,
): Promise<{ seconds: number; stderrTail: string }> {
  let seconds = 0
  const reader = progressReader(context.limits.stallMs, ({ outSeconds }) => {
    seconds = outSeconds
  })
  const { stderrTail } = await runTool(
    context,
    'ffmpeg',
    [
      ...guardedGlobals,
      ...['-progress', 'pipe:1', '-stats_period', '0.5', '-threads', '1'],
      ...guardedInput(path, demuxer),
      // In both formats the first stream is the sound; a cover picture follows it.
      ...['-map', '0:0', '-af', 'asetpts=N/SR/TB', '-t', String(maxSeconds + 1)],
      ...['-f', 'null', '-'],
    ],
    reader,
  )
  return { seconds, stderrTail }
}
