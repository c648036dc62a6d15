import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { compileArgs } from '../../graph/compile-args.ts'
import { inputFile, pipe, streamOf } from '../../graph/filter-graph.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { RgbPicture } from '../objects/object-model.ts'

const rawPath = 'frames.rgb'
const quality = '5'

const jpegName = (place: number): string => `frame-${place + 1}.jpg`

/** Encodes pictures of one size as JPEG files. */
export async function encodeJpegs(
  context: ToolContext,
  frames: readonly RgbPicture[],
): Promise<Buffer[]> {
  const [first] = frames
  if (!first) return []
  const { folder, threads, maxPixels } = context
  const size = `${first.width}x${first.height}`
  const reading = ['-pixel_format', 'rgb24', '-video_size', size, '-framerate', '1']
  const file = inputFile(rawPath, 'rawvideo', reading)
  const stream = pipe(streamOf(file, 'video', 0), 'format', { pix_fmts: 'yuvj420p' })
  const coding = ['-c:v', 'mjpeg', '-q:v', quality, '-fps_mode:v', 'passthrough']
  const command = compileArgs({
    tracks: [{ stream, coding }],
    muxing: ['-f', 'image2'],
    path: 'frame-%d.jpg',
    threads,
    maxPixels,
  })
  const names = frames.map((_, place) => jpegName(place))
  try {
    await writeFile(path.join(folder, rawPath), Buffer.concat(frames.map(({ pixels }) => pixels)))
    await runFfmpeg(context, command, () => undefined)
    return await Promise.all(names.map(async (name) => readFile(path.join(folder, name))))
  } finally {
    for (const name of [rawPath, ...names]) await rm(path.join(folder, name), { force: true })
  }
}
