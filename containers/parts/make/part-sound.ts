import { readTracks } from '../../cuts/proof/prove-film.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { compileArgs, type OutputTrack } from '../../graph/compile-args.ts'
import { beginningAt, inputFile, streamOf } from '../../graph/filter-graph.ts'
import type { RenderPlan } from '../../render/plan-render.ts'

/** The sound of a film, made beside its parts. */
type FilmSound = { readonly track: OutputTrack; readonly endSeconds: number | undefined }

/** Encodes the sound while the parts are rendered. AVI says nothing of its times, so there it is made with the film. */
export async function encodeSound(
  context: ToolContext,
  { tracks, audio, format }: RenderPlan,
): Promise<FilmSound | undefined> {
  const [track] = tracks.filter(({ stream }) => stream.kind === 'audio')
  if (!track) return undefined
  if (audio !== 'encode' || format === 'avi') return { track, endSeconds: undefined }
  const name = `parts-sound.${format}`
  const muxing = ['-fflags', '+bitexact', '-f', format]
  const { threads, maxPixels } = context
  const command = compileArgs({ tracks: [track], muxing, path: name, threads, maxPixels })
  await runFfmpeg(context, command, () => undefined)
  const { start, length, ends } = (await readTracks(context, name, format)).get(0) ?? {}
  const begin = start !== undefined && Number.isFinite(start) ? start : 0
  const file = inputFile(name, demuxers[format], beginningAt(begin))
  const coded = { stream: streamOf(file, 'audio', 0), coding: ['-c:a', 'copy'] }
  return { track: coded, endSeconds: ends ?? begin + (length ?? Number.NaN) }
}
