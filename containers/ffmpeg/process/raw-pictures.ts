import { compileArgs, standardOutput, type OutputFile } from '../../graph/compile-args.ts'
import type { Stream } from '../../graph/filter-graph.ts'
import { refuseFailed } from './run-ffmpeg.ts'
import { runTool, type ToolContext } from './run-tool.ts'

/** A file of the pictures of a stream as they are, one behind the other. */
export function rawPictures(stream: Stream, path: string): OutputFile {
  const coding = ['-c:v', 'rawvideo', '-fps_mode:v', 'passthrough']
  return { tracks: [{ stream, coding }], muxing: ['-f', 'rawvideo'], path }
}

type PictureReading = {
  readonly stream: Stream
  readonly pictureBytes: number
  /** Files that are written meanwhile. */
  readonly beside?: readonly OutputFile[]
}

/** Takes each picture of a stream while ffmpeg makes the next ones. */
export async function readPictures(
  tools: ToolContext,
  { stream, pictureBytes, beside = [] }: PictureReading,
  take: (pixels: Uint8Array) => Promise<void>,
): Promise<void> {
  const { threads, maxPixels } = tools
  const made = { ...rawPictures(stream, standardOutput), beside }
  const { args } = compileArgs({ ...made, threads, maxPixels })
  const taking = inPictures(pictureBytes, take)
  refuseFailed(await runTool(tools, 'ffmpeg', args, () => true, taking))
}

/** Assembles the chunks of a pipe into whole pictures of this many bytes. */
function inPictures(size: number, take: (pixels: Uint8Array) => Promise<void>) {
  let picture = new Uint8Array(size)
  let filled = 0
  return async (bytes: Buffer): Promise<void> => {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + size - filled)
      picture.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < size) continue
      await take(picture)
      picture = new Uint8Array(size)
      filled = 0
    }
  }
}
