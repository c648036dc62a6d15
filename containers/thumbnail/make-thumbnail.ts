import { stat } from 'node:fs/promises'
import path from 'node:path'
import { compileArgs } from '../ffmpeg/compile-args.ts'
import { pipeAll } from '../ffmpeg/filter-graph.ts'
import { runFfmpeg } from '../ffmpeg/run-ffmpeg.ts'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import {
  fitWithin,
  pictureAt,
  sampleFrames,
  type TimedSample,
  type Video,
} from './sample-frames.ts'
import { scoreFrames } from './score-frames.ts'

export const maxThumbnailBytes = 200_000

/** Tried in this order until the file is small enough; `quality` is ffmpeg's, 2 being the best. */
const attempts = [
  { side: 1280, quality: 3 },
  { side: 1280, quality: 6 },
  { side: 1280, quality: 12 },
  { side: 1280, quality: 22 },
  { side: 800, quality: 16 },
  { side: 480, quality: 20 },
] as const

/** A still is worth a minute, not the job. */
const patienceMs = 60_000

/** Makes a JPEG of the moment that shows the video best; answers its name in the job folder. */
export async function makeThumbnail(context: ToolContext, video: Video): Promise<string> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(patienceMs)])
  const patient = { ...context, signal }
  const first = await sampleFrames(patient, video)
  // Something may yet be seen in between.
  const best =
    (await bestOf(first)) ??
    (await bestOf(await sampleFrames(patient, video, 0.5))) ??
    middleOf(first)
  if (!best) throw new Error('No picture of the video could be read')
  for (const attempt of attempts) {
    const name = await encodeStill(patient, { video, atSeconds: best.atSeconds, ...attempt })
    const { size } = await stat(path.join(context.folder, name))
    if (size > 0 && size <= maxThumbnailBytes) return name
  }
  throw new Error('The still did not become small enough')
}

/** Undefined where all are blank. */
async function bestOf(samples: readonly TimedSample[]): Promise<TimedSample | undefined> {
  const scores = await scoreFrames(samples)
  const best = Math.max(...scores)
  return best > 0 ? samples[scores.indexOf(best)] : undefined
}

function middleOf(samples: readonly TimedSample[]): TimedSample | undefined {
  return samples[Math.floor(samples.length / 2)]
}

type Still = { video: Video; atSeconds: number; side: number; quality: number }

async function encodeStill(
  context: ToolContext,
  { video, atSeconds, side, quality }: Still,
): Promise<string> {
  const name = 'thumbnail.jpg'
  const stream = pipeAll(pictureAt(video, atSeconds), [
    [
      'scale',
      // JPEG knows no other colours than these.
      {
        ...fitWithin(video.facts.video, side),
        out_range: 'full',
        out_color_matrix: 'bt601',
        flags: 'bicubic+accurate_rnd',
      },
    ],
    ['format', { pix_fmts: 'yuvj420p' }],
    ['setsar', { sar: 1 }],
  ])
  const coding = ['-c:v', 'mjpeg', '-q:v', String(quality), '-frames:v', '1']
  const { threads, maxPixels } = context
  const muxing = ['-fflags', '+bitexact', '-flags:v', '+bitexact', '-f', 'image2', '-update', '1']
  const track = { stream, coding }
  const command = compileArgs({ tracks: [track], muxing, path: name, threads, maxPixels })
  await runFfmpeg(context, command, () => undefined)
  return name
}
