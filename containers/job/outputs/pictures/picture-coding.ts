import { stat } from 'node:fs/promises'
import path from 'node:path'
import { runFfmpeg } from '../../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../../ffmpeg/process/run-tool.ts'
import { writingGlobals } from '../../../graph/compile-args.ts'

/** A run over pictures that the job has written itself: what it reads, and how it writes. */
type CodingRun = {
  readonly inputs: readonly (readonly [demuxer: string, file: string, ...reading: string[]])[]
  readonly graph?: string
  readonly writing: readonly string[]
  /** With `%d` in its name, it stands for `count` files, numbered from 0. */
  readonly file: string
  readonly count?: number
}

/** Filters of palettes and sheets need many pictures at once, so they have no place in the graph of a film. */
export async function codePictures(
  tools: ToolContext,
  { inputs, graph, writing, file, count = 1 }: CodingRun,
  onSeconds: (seconds: number) => void = () => undefined,
): Promise<void> {
  const read = inputs.flatMap(([demuxer, name, ...reading]) => [
    ...['-protocol_whitelist', 'file', '-f', demuxer, ...reading, '-i', `file:${name}`],
  ])
  const args = [
    ...writingGlobals,
    ...['-threads', String(tools.threads), ...read],
    ...(graph === undefined ? [] : ['-filter_complex_threads', '1', '-filter_complex', graph]),
    ...['-an', '-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact'],
    ...[...writing, `file:${file}`],
  ]
  await runFfmpeg(tools, { args }, ({ outSeconds }) => onSeconds(outSeconds))
  for (let i = 0; i < count; i++) {
    const name = file.replace('%d', String(i))
    const { size } = await stat(path.join(tools.folder, name))
    if (size === 0) throw new Error(`${name} came out empty`)
  }
}

/** The colours of a JPEG: BT.601 in full range. `quality` is that of ffmpeg, where 2 is the best. */
export const jpegFilters =
  'scale=out_color_matrix=bt601:out_range=full:flags=bicubic+accurate_rnd+full_chroma_int,format=yuvj420p'

export function jpegCoding(quality: number): string[] {
  const scale = Math.round(2 + ((100 - quality) * 20) / 99)
  return ['-c:v', 'mjpeg', '-q:v', String(scale), '-f', 'image2']
}
