import { open } from 'node:fs/promises'
import path from 'node:path'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { CutFault } from '../cut-fault.ts'
import type { FilmDescription } from '../cut-model.ts'
import { boxAt } from './boxes.ts'
import { movieIn } from './read-index.ts'

/**
 * A copy of the first picture, written by our own ffmpeg, describes the stream as the result has to: only ffmpeg, which is
 * confined, reads the headers of a customer's file.
 */
export async function modelOf(
  tools: ToolContext,
  { path: file, facts }: { path: string; facts: Pick<MediaFacts, 'format' | 'video'> },
  name: string,
): Promise<FilmDescription> {
  const args = [
    ...[...guardedGlobals, '-y', ...guardedInput(file, demuxers[facts.format])],
    ...['-map', `0:${facts.video.index}`, '-c:v', 'copy', '-frames:v', '1', ...plainFile],
    `file:${name}`,
  ]
  await runFfmpeg(tools, { args })
  return readModel(tools, name)
}

export const plainFile = ['-map_metadata', '-1', '-fflags', '+bitexact', '-f', 'mp4']

/** Reads the model from an MP4 that our own ffmpeg has written, with the pictures as its first track. */
export async function readModel({ folder }: ToolContext, name: string): Promise<FilmDescription> {
  await using file = await open(path.join(folder, name))
  const movie = await movieIn(file)
  const description = movie && boxAt(movie, 'trak', 'mdia', 'minf', 'stbl', 'stsd')
  if (!description) throw new CutFault('its stream cannot be described')
  return { movie, description }
}
