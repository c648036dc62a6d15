import { stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { jsonOf } from '../../worker/contract/input/parse-input.ts'
import type { SniffedPicture } from '../../worker/contract/video/sniff-format.ts'
import { checkClaims } from '../claims/check-claims.ts'
import { sourceLimits } from '../claims/source-limits.ts'
import { JobError } from '../errors/job-error.ts'
import { guardedInput } from '../graph/compile-args.ts'
import { probeStill } from './decode-picture.ts'
import { headOf } from './identify-file.ts'
import type { MeasureRequest } from './measure-media.ts'
import { scanPackets } from './probe/scan-packets.ts'
import { hasAlphaFormat } from './probe/stream-facts.ts'
import type { ToolContext } from './process/run-tool.ts'
import type { Size } from '../../worker/contract/layout/element-layout.ts'

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

type PictureRequest<Format> = MeasureRequest & { readonly format: Format }

/** Finds out what the picture of a clip or an element is. */
export async function measurePicture(
  tools: ToolContext,
  { format, ...request }: PictureRequest<SniffedPicture>,
): Promise<GifFacts | StillFacts> {
  if (format === 'gif') return measureGif(tools, request)
  return measureStill(tools, { ...request, format })
}

export async function measureStill(
  tools: ToolContext,
  request: PictureRequest<Exclude<SniffedPicture, 'gif'>>,
): Promise<StillFacts> {
  const { field, maxSeconds } = request
  const file = path.join(tools.folder, request.path)
  switch (request.format) {
    case 'png':
      // ffprobe keeps the size of a PNG to itself if it is too large.
      refuseTooLarge(sizeOfPng(await headOf(file)), field, tools.maxPixels)
      return decodeStill(tools, request, 'png_pipe')
    case 'jpg':
      return decodeStill(tools, request, 'jpeg_pipe')
    case 'webp':
      if (isAnimatedWebp(await headOf(file))) throw animated(field, 'WebP')
      return decodeStill(tools, request, 'webp_pipe')
    case 'avif': {
      if (isAnimatedAvif(await headOf(file))) throw animated(field, 'AVIF')
      const held = { field, sizeBytes: (await stat(file)).size, maxSeconds }
      // AVIF is made of the boxes of MP4.
      await checkClaims(file, 'mp4', held, tools.signal)
      return decodeStill(tools, request, 'mov')
    }
  }
}

function animated(field: string, name: string): JobError {
  const what = `the file is an animated ${name}, which cannot be read`
  return new JobError('source_undecodable', `${field}: ${what}. Send it as a GIF or a video.`)
}

/** The flags of an extended file say whether it moves. */
function isAnimatedWebp(head: Buffer): boolean {
  return head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & 2) !== 0
}

/** Its first brand says so. */
function isAnimatedAvif(head: Buffer): boolean {
  return head.toString('latin1', 8, 12) === 'avis'
}

function sizeOfPng(head: Buffer): Size | undefined {
  if (head.length < 24) return undefined
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

async function measureGif(
  tools: ToolContext,
  request: MeasureRequest,
): Promise<GifFacts | StillFacts> {
  const still = await decodeStill(tools, request, 'gif')
  const { width, height } = still
  const { count: frames, end: seconds } = await readGif(tools, request)
  if (frames < 2) return still
  refuseLongGif(request, still, frames, tools.maxPixels)
  return { kind: 'gif', width, height, frames, seconds: Math.max(0, seconds) }
}

async function readGif(tools: ToolContext, { path: file, field, maxSeconds }: MeasureRequest) {
  const { size: sizeBytes } = await stat(path.join(tools.folder, file))
  return scanPackets(tools, {
    ...{ path: file, demuxer: 'gif', streamIndex: 0, startSeconds: 0 },
    held: { field, sizeBytes, maxSeconds, maxPackets: sourceLimits.gifPictures },
  })
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
  throw new JobError('source_too_large', `${field}: the GIF has ${has}; ${allowed}.`)
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
async function decodeStill(
  tools: ToolContext,
  { path: file, field }: MeasureRequest,
  demuxer: StillFacts['demuxer'],
): Promise<StillFacts> {
  const entries = 'stream=width,height:frame=width,height,pix_fmt:frame_tags=Orientation'
  const run = await probeStill(tools, field, [
    ...['-hide_banner', '-v', 'error', '-threads', '1', '-max_pixels', String(tools.maxPixels)],
    ...['-show_entries', entries, '-read_intervals', '%+#1', '-of', 'json'],
    ...guardedInput(file, demuxer),
  ])
  const json = jsonOf(run.stdout)
  refuseTooLarge(probed.safeParse(json).data?.streams[0], field, tools.maxPixels)
  const [frame] = decoded.safeParse(json).data?.frames ?? []
  if (!frame) {
    throw new JobError('source_undecodable', `${field}: the picture cannot be decoded.`, {
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

function refuseTooLarge(size: Size | undefined, field: string, maxPixels: number): void {
  if (!size || size.width * size.height <= maxPixels) return
  const found = `the picture is ${size.width} × ${size.height}`
  const allowed = `at most ${maxPixels} pixels are allowed`
  throw new JobError('source_too_large', `${field}: ${found}; ${allowed}.`)
}
