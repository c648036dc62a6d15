import { open } from 'node:fs/promises'
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
    throw new JobError('source_undecodable', error.message, { cause: error })
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
      if (await isAnimatedWebp(file)) {
        throw new JobError(
          'source_undecodable',
          `${field}: the file is an animated WebP, which cannot be read. Send it as a GIF or a video.`,
        )
      }
      return decodeStill(context, request, 'webp_pipe')
    case 'avif': {
      const held = { field, sizeBytes: await sizeOf(file), maxSeconds }
      // AVIF is made of the boxes of MP4.
      await checkClaims(file, 'mp4', held, context.signal)
      return decodeStill(context, request, 'mov')
    }
  }
}

async function sizeOf(file: string): Promise<number> {
  const handle = await open(file)
  try {
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

/** The flags of an extended file say whether it moves. */
async function isAnimatedWebp(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(21), 0, 21, 0)
    return bytesRead > 20 && buffer.toString('latin1', 12, 16) === 'VP8X' && (buffer[20] ?? 0) & 2
      ? true
      : false
  } finally {
    await handle.close()
  }
}
