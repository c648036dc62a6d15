import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { mostStabilizedSeconds } from '../../../../worker/contract/options/picture/stabilize.ts'
import { JobError } from '../../../errors/job-error.ts'
import { runGraph } from '../../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../../ffmpeg/process/run-tool.ts'
import { pipe, pipeAll } from '../../../graph/filter-graph.ts'
import { storedStream } from '../../../graph/stored-stream.ts'
import { openClip } from '../../../render/frame/open-clip.ts'
import { evenFloor } from '../../../render/frame/frame-shape.ts'
import { lengthOfClip, lookAtClips } from '../../../timeline/change-clips.ts'
import type { Clip, Clips } from '../../../timeline/clip.ts'
import type { MeasureOnce } from '../measured-once.ts'
import { fitMotion, type CameraMotion, type ShakeStep } from './fit-motion.ts'
import { steadyPath, type Steadied } from './steady-path.ts'
import type { Size } from '../../../../worker/contract/layout/element-layout.ts'
import { tryForPlan } from '../../try-for-plan.ts'
import type { JobContext } from '../../job-context.ts'
import { shakeWork } from '../../report/measuring-work.ts'
import { paceOf } from '../../report/work-kinds.ts'

type ShakeRequest = {
  readonly clips: Clips
  /** Whether the pictures of the clip with this index come from a camera. */
  readonly isFilmed: (index: number) => boolean
  readonly once: MeasureOnce
  readonly onProgress: (share: number) => void
}

/** Measures how the camera shook in each clip, and writes how its pictures have to be moved. */
async function measureShakes(
  tools: ToolContext,
  { clips, isFilmed, once, onProgress }: ShakeRequest,
): Promise<Clips> {
  const tooLong = clips.findIndex(
    (clip, i) => isFilmed(i) && lengthOfClip(clip) > mostStabilizedSeconds,
  )
  if (tooLong >= 0) {
    const which = clips.length === 1 ? 'the video' : `clip ${tooLong + 1}`
    const most = `at most ${mostStabilizedSeconds} seconds can be held still`
    throw new JobError('source_too_large', `stabilize: ${which} is too long; ${most}.`)
  }
  return lookAtClips(clips, onProgress, async (clip, i, onSeconds) => {
    if (!isFilmed(i)) return clip
    const asked = { what: 'motion', clip, shown: measuredPicture(clip), schema: z.string() }
    const text = await once(asked, async () => measureShake(tools, clip, `shake${i}`, onSeconds))
    if (text === '') return { ...clip, corrections: undefined }
    // The name follows from the content, so that findings about a steady clip are recognised wherever the clip stands.
    const corrections = `shake-${hash('sha256', text).slice(0, 16)}.trf`
    await writeFile(path.join(tools.folder, corrections), text)
    return { ...clip, corrections }
  })
}

const foundBytesOfPicture = 8_000

/** How much disk space the motion of a clip takes until it was read. */
export function foundBytes({ facts: { video } }: Clip): number {
  return Math.ceil(video.endSeconds * video.averageFps) * foundBytesOfPicture
}

/** Returns the corrections as the filter reads them; an empty text if the picture does not move. */
async function measureShake(
  tools: ToolContext,
  clip: Clip,
  name: string,
  onSeconds: (seconds: number) => void,
): Promise<string> {
  const { averageFps: fps } = clip.facts.video
  const { width, height } = evenFloor(clip.facts.video)
  const size = measuredSize(clip)
  const found = `${name}.found`
  const detect = { result: found, accuracy: 5, mincontrast: 0.1 }
  const measured = pipe(measuredPicture(clip), 'vidstabdetect', detect)
  const nowhere = { coding: ['-fps_mode', 'passthrough', '-c:v', 'wrapped_avframe'] }
  const tracks = [{ stream: measured, ...nowhere }]
  const made = { tracks, muxing: ['-f', 'null'], path: `${name}.null` }
  await runGraph(tools, made, ({ outSeconds }) => onSeconds(outSeconds))
  const steps: ShakeStep[] = []
  const file = path.join(tools.folder, found)
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.startsWith('Frame ')) steps.push(enlarged(fitMotion(line, size), width / size.width))
  }
  await rm(file)
  const steadied = steadyPath(steps, { width, height, fps })
  return shakes(steadied, width) ? correctionText(steadied) : ''
}

function measuredPicture(clip: Clip): Clip['video'] {
  const { width, height } = measuredSize(clip)
  return pipeAll(plainPicture(clip), [
    ['scale', { w: width, h: height, flags: 'area' }],
    ['format', { pix_fmts: 'gray' }],
  ])
}

/** A larger picture shows the motion no better; in a smaller one, it is less than a pixel. */
const measuredPixels = 720
const mostEnlarged = 2

/** The filter takes even sides only. */
function measuredSize({ facts: { video } }: Clip): Size {
  const scale = Math.min(mostEnlarged, measuredPixels / Math.min(video.width, video.height))
  const even = (side: number): number => Math.max(2, 2 * Math.round((side * scale) / 2))
  return { width: even(video.width), height: even(video.height) }
}

/** The motion is the same without mapping the colours of HDR, which takes longer than all the rest. */
function plainPicture({ video, facts }: Clip): Clip['video'] {
  if (facts.video.transfer === 'sdr') return video
  const plain = { ...facts, video: { ...facts.video, transfer: 'sdr' as const } }
  return openClip(storedStream(video).from.path, plain, { disableAudio: true }).video
}

function enlarged(step: ShakeStep, scale: number): ShakeStep {
  return typeof step === 'string' ? step : { ...step, x: step.x * scale, y: step.y * scale }
}

/** A smaller motion is not visible. */
const leastPixels = 0.25

function shakes({ corrections }: Steadied, width: number): boolean {
  return corrections.some(
    ({ x, y, turn }) => Math.hypot(x, y) + (Math.abs(turn) * width) / 2 > leastPixels,
  )
}

/** A line for each picture, in the older of the two formats that vidstabtransform reads. */
function correctionText({ corrections, seen }: Steadied): string {
  const zoom = ((1 - seen) * 100).toFixed(4)
  const line = ({ x, y, turn }: CameraMotion, i: number): string =>
    `${i} ${x.toFixed(4)} ${y.toFixed(4)} ${turn.toFixed(7)} ${zoom} 0\n`
  return corrections.map(line).join('')
}

/**
 * Whether the shake of the camera is measured: for a plan only if that is quick, and if no faces must be covered first, for
 * which a plan does not look.
 */
export function maySteady(
  { job: { options, paces = {} }, mayListenMs, isPartial }: JobContext,
  { facts: { video } }: Clips[0],
  seconds: number,
): boolean {
  if (mayListenMs === undefined) return true
  if (isPartial || options.blurFaces) return false
  const { kind, units } = shakeWork(seconds, video)
  return paceOf(kind, paces).ms * units <= mayListenMs
}

/** Undefined if a plan cannot wait for it. */
export async function steadyClips(
  context: JobContext,
  request: ShakeRequest,
): Promise<Clips | undefined> {
  if (context.mayListenMs === undefined) return measureShakes(context.tools, request)
  return tryForPlan(context, 'How the camera shook', async ({ tools }) =>
    measureShakes(tools, request),
  )
}
