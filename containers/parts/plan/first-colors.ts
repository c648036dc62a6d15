import { rm } from 'node:fs/promises'
import path from 'node:path'
import { measurePacking } from '../../ffmpeg/measure-packing.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { compileArgs } from '../../graph/compile-args.ts'
import type { Stream } from '../../graph/filter-graph.ts'
import { windowGlobals, windowOf } from '../window/window-of.ts'
import type { FileTables } from '../window/window.ts'
import { momentBefore, type FilmPictures } from './film-pictures.ts'

/** Arguments of `setparams`. */
export type ColorTags = Readonly<Record<'color_primaries' | 'color_trc' | 'colorspace', string>>

const name = 'parts-first.mp4'

/**
 * What a film says of its colors, which encoders take from its first picture. A part may begin where another clip
 * says something else.
 */
export async function firstColors(
  context: ToolContext,
  stream: Stream<'video'>,
  pictures: FilmPictures,
  tables: FileTables,
): Promise<ColorTags> {
  const { threads, maxPixels, folder } = context
  const window = { from: Number.NEGATIVE_INFINITY, to: momentBefore(pictures, 1) }
  const coding = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-frames:v',
    '1',
  ]
  const command = compileArgs({
    tracks: [{ stream: windowOf(stream, window, tables), coding }],
    muxing: ['-f', 'mp4'],
    path: name,
    timing: windowGlobals,
    ...{ threads, maxPixels },
  })
  await runFfmpeg(context, command, () => undefined)
  const { stream: said } = await measurePacking(context, name, {
    format: 'mp4',
    video: { index: 0 },
  })
  await rm(path.join(folder, name), { force: true })
  const tag = (entry: string): string => said.get(entry) ?? 'unknown'
  return {
    color_primaries: tag('color_primaries'),
    color_trc: tag('color_transfer'),
    colorspace: tag('color_space'),
  }
}
