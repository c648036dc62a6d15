import { stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Element } from '../../worker/contract/options/elements.ts'
import { jsonOf } from '../../worker/contract/input/json-of.ts'
import { JobError } from '../errors/job-error.ts'
import { guardedInput } from '../graph/compile-args.ts'
import { sourceLimits } from '../claims/source-limits.ts'
import { readStill } from './decode-picture.ts'
import type { ElementFacts, GifFacts, StillFacts } from './element-facts.ts'
import { readHead, wrongKind } from './element-head.ts'
import { hasAlphaFormat } from './probe/stream-facts.ts'
import { measureMedia, type MeasureRequest } from './measure-media.ts'
import { measureSound } from './measure-sound.ts'
import type { ToolContext } from './process/run-tool.ts'
import { scanPackets } from './probe/scan-packets.ts'

/** The elements that are made of a file. */
export type MediaType = Exclude<Element['type'], 'text'>

export type MeasureElementRequest = MeasureRequest & { readonly type: MediaType }

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

async function measureMovie(context: ToolContext, request: MeasureRequest) {
  return measureMedia(context, request).catch(failElement)
}

/** A file that is too large or too damaged for a source cannot serve as an element either. */
function failElement(error: unknown): never {
  if (!(error instanceof JobError) || !error.reason.startsWith('source_')) throw error
  throw new JobError('element_unusable', error.message, { cause: error })
}

async function measureImage(context: ToolContext, request: MeasureRequest): Promise<StillFacts> {
  const head = await readHead(context.folder, request)
  const demuxer = isPng(head) ? 'png_pipe' : isJpeg(head) ? 'jpeg_pipe' : undefined
  if (!demuxer) throw await wrongKind(request, 'a PNG or JPEG image', head)
  return decodeStill(context, request, demuxer)
}

async function measureGif(
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
  throw new JobError(
    'element_unusable',
    `${field}: the GIF has ${frames} pictures of ${width} × ${height}; at most ${most.toLocaleString('en')} pixels together are allowed.`,
  )
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
async function decodeStill(
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
  throw new JobError(
    'element_unusable',
    `${field}: the picture is ${size.width} × ${size.height}; at most ${maxPixels} pixels are allowed.`,
  )
}
