import { readTracks } from '../../cuts/proof/prove-film.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { beginningAt, inputFile, streamOf } from '../../graph/filter-graph.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import { encodeRanges, writeSound, type DividedSound } from './sound-ranges.ts'
import { trackOf, type OutputTrack } from '../../graph/output-track.ts'

/** The sound of a film, made while its parts are rendered. */
type FilmSound = { readonly track: OutputTrack; readonly endSeconds: number | undefined }

/** `divided`: undefined if the sound stays whole. */
type Ranges = {
  readonly divided: DividedSound | undefined
  readonly onFault: (error: unknown) => void
}

/**
 * Encodes the sound while the parts are rendered: a long one as ranges side by side, or whole if that fails. AVI does not store
 * its times, so there it is made with the film.
 */
export async function encodeSound(
  tools: ToolContext,
  { tracks, audio, format }: Pick<RenderPlan, 'tracks' | 'audio' | 'format'>,
  { divided, onFault }: Ranges,
): Promise<FilmSound | undefined> {
  const track = trackOf(tracks, 'audio')
  if (!track) return undefined
  if (audio !== 'encode' || format === 'avi') return { track, endSeconds: undefined }
  const name = `parts-sound.${format}`
  const isMade =
    divided &&
    (await encodeRanges(tools, divided, name).then(
      () => true,
      (error: unknown) => {
        tools.signal.throwIfAborted()
        onFault(error)
        return false
      },
    ))
  if (!isMade) await writeSound(tools, track, { format, name })
  const { start, length, ends } = (await readTracks(tools, name, format)).get(0) ?? {}
  const begin = start !== undefined && Number.isFinite(start) ? start : 0
  const file = inputFile(name, demuxers[format], beginningAt(begin))
  const coded = { stream: streamOf(file, 'audio', 0), coding: ['-c:a', 'copy'] }
  return { track: coded, endSeconds: endOfCopy(ends) ?? begin + (length ?? Number.NaN) }
}

const opusSeconds = 0.02

/** The last packet of Opus may be shorter than the others, but a copy in WebM says that it is as long. */
function endOfCopy(ends: number | undefined): number | undefined {
  return ends === undefined ? undefined : Math.ceil(ends / opusSeconds - 0.1) * opusSeconds
}
