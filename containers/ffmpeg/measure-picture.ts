import { open, stat } from 'node:fs/promises'
import path from 'node:path'
import type { PictureFormat } from '../../worker/contract/video/sniff-format.ts'
import { checkClaims } from '../claims/check-claims.ts'
import { JobError } from '../errors/job-error.ts'
import { decodeStill, measureGif, measureImage } from './measure-element.ts'
import type { GifFacts, StillFacts } from './measure-element.ts'
import type { MeasureRequest } from './measure-media.ts'
import type { ToolContext } from './process/run-tool.ts'

/** Finds out what a picture is that becomes a clip, within the limits of the pictures of elements. */
export async function measurePicture(
  context: ToolContext,
  request: MeasureRequest & { readonly format: PictureFormat },
): Promise<GifFacts | StillFacts> {
  return measure(context, request).catch((error: unknown) => {
    if (!(error instanceof JobError) || error.reason !== 'element_unusable') throw error
    const { cause, message } = error
    const isTooLarge = cause instanceof JobError && cause.reason === 'source_too_large'
    throw new JobError(isTooLarge ? 'source_too_large' : 'source_undecodable', message, {
      cause: error,
    })
  })
}

async function measure(
  context: ToolContext,
  request: MeasureRequest & { readonly format: PictureFormat },
): Promise<GifFacts | StillFacts> {
  const { field, maxSeconds } = request
  const file = path.join(context.folder, request.path)
  switch (request.format) {
    case 'png':
    case 'jpg':
      return measureImage(context, request)
    case 'gif':
      return measureGif(context, request)
    case 'webp':
      if (isAnimatedWebp(await headOf(file))) throw animated(field, 'WebP')
      return decodeStill(context, request, 'webp_pipe')
    case 'avif': {
      if (isAnimatedAvif(await headOf(file))) throw animated(field, 'AVIF')
      const held = { field, sizeBytes: (await stat(file)).size, maxSeconds }
      // AVIF is made of the boxes of MP4.
      await checkClaims(file, 'mp4', held, context.signal)
      return decodeStill(context, request, 'mov')
    }
  }
}

function animated(field: string, name: string): JobError {
  const what = `the file is an animated ${name}, which cannot be read`
  return new JobError('source_undecodable', `${field}: ${what}. Send it as a GIF or a video.`)
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(21), 0, 21, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The flags of an extended file say whether it moves. */
function isAnimatedWebp(head: Buffer): boolean {
  return head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & 2) !== 0
}

/** Its first brand says so. */
function isAnimatedAvif(head: Buffer): boolean {
  return head.toString('latin1', 8, 12) === 'avis'
}
