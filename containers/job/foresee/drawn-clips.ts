import { movesQuickly } from '../../ffmpeg/draw-picture.ts'
import { secondsKept } from '../../timeline/list-cuts.ts'
import type { Measured } from '../measure/measure-job.ts'
import { measuringWork } from '../report/measuring-work.ts'
import { addWorks } from '../report/work-ahead.ts'
import { work, type Work } from '../report/work-kinds.ts'
import { mapClips } from '../../timeline/change-clips.ts'

/** Bits a pixel of a moving waveform. */
const waveBits = 0.055
/** The share of a still picture's bytes that each picture of a moving view takes, and how much longer it takes to draw. */
const moving = { share: 0.12, effort: 3.8 } as const
/** The effort of a waveform picture, as a share of that of an encoded one. */
const waveEffort = 0.5

/** x264 stores a still picture whole once in this many pictures. */
const keyFrames = 250

const motionUndrawn =
  'motion: pictures that move for long are not drawn for a plan; the ranges allow for it.'
const waveUndrawn = 'waveform: the wave is not drawn for a plan; the ranges allow for it.'

type Stored = { readonly sniffed: { readonly kind: string } }

/**
 * The clips as if waveforms and moving views were drawn, which a plan leaves out where it takes long. `unknown`: what the plan
 * therefore does not show.
 */
export function drawnClips(
  measured: Measured,
  stored: readonly Stored[],
): { readonly drawn: Measured; readonly unknown: readonly string[] } {
  const { context, clips } = measured
  const { options, inputs } = context.job
  const moves = inputs.map(({ motion = 'none' }) => motion !== 'none')
  const works: Work[] = []
  const unknown = new Set<string>()
  const own = mapClips(clips, (clip, i) => {
    const { video, durationSeconds, sizeBytes } = clip.facts
    const pixels = video.width * video.height * video.averageFps * durationSeconds
    const withBytes = (bytes: number) => {
      const bitRate = (bytes * 8) / durationSeconds
      const facts = { ...clip.facts, sizeBytes: sizeBytes + bytes }
      return { ...clip, facts: { ...facts, video: { ...video, bitRate } } }
    }
    if (stored[i]?.sniffed.kind === 'sound' && options.waveform) {
      works.push(work('encoding mp4', (pixels * waveEffort) / 1e6))
      unknown.add(waveUndrawn)
      return withBytes((pixels * waveBits) / 8)
    }
    if (stored[i]?.sniffed.kind !== 'picture' || !moves[i]) return clip
    works.push(work('encoding mp4', (pixels * moving.effort) / 1e6))
    if (movesQuickly(pixels, moves.filter(Boolean).length)) return clip
    unknown.add(motionUndrawn)
    const frames = video.averageFps * durationSeconds
    return withBytes((sizeBytes / Math.ceil(frames / keyFrames)) * frames * moving.share)
  })
  const [drawing, ...more] = works
  if (!drawing) return { drawn: measured, unknown: [] }
  const measuring = measuringWork(options, secondsKept(measured))
  context.reporter.expect({ measuring: addWorks([drawing, ...more, measuring]) })
  const isUnseen = (context.isUnseen ?? false) || unknown.size > 0
  const drawn = { ...measured, context: { ...context, isUnseen }, clips: own }
  return { drawn, unknown: [...unknown] }
}
