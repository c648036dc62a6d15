import { hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { mostFaceSeconds } from '../../../worker/contract/options/picture/blur-faces.ts'
import type { FaceCounts } from '../../../worker/contract/job/report.ts'
import { JobError } from '../../errors/job-error.ts'
import { readPictures } from '../../ffmpeg/process/raw-pictures.ts'
import { type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { maskFaces, maskRate, maskSizeFor, type FaceMask } from '../../insight/cover/face-mask.ts'
import type { FindFaces } from '../../insight/faces/face-model.ts'
import { facesAt, type FacesAt } from '../../insight/faces/track-faces.ts'
import { FaceWatch } from '../../insight/faces/watch-faces.ts'
import { lengthOfClip, lookAtClips } from '../../timeline/change-clips.ts'
import type { Clip, Clips } from '../../timeline/clip.ts'
import type { MeasureOnce } from './measured-once.ts'
import { thousandths } from '../../numbers/thousandths.ts'
import { nearestEven } from '../../numbers/nearest-even.ts'

type FaceRequest = {
  readonly clips: Clips
  /** Whether the pictures of the clip with this index come from a camera. */
  readonly isSeen: (index: number) => boolean
  readonly findFaces: FindFaces
  readonly once: MeasureOnce
  readonly onProgress: (share: number) => void
}

/** Finds the faces of each clip, and writes a mask of where its pictures are to be covered. */
export async function findClipFaces(
  tools: ToolContext,
  { clips, isSeen, findFaces, once, onProgress }: FaceRequest,
) {
  const seen = clips.reduce((sum, clip, i) => sum + (isSeen(i) ? lengthOfClip(clip) : 0), 0)
  if (seen > mostFaceSeconds) {
    const most = `faces are looked for in at most ${mostFaceSeconds} seconds`
    throw new JobError('source_too_large', `blurFaces: the video is too long; ${most}.`)
  }
  const counts: FaceCounts[] = []
  const masked = await lookAtClips(clips, onProgress, async (clip, i, onSeconds) => {
    if (!isSeen(i)) return clip
    const look = lookOf(clip)
    const asked = { what: 'faces', clip, shown: look.shown, schema: facesAt }
    const found = await once(asked, async () => lookAt(tools, look, findFaces, onSeconds))
    const mask = maskFaces(found, clip.facts.video)
    counts.push(mask.counts)
    if (mask.counts.tracks === 0) return clip
    const name = nameOf(found, mask)
    await writeMask(path.join(tools.folder, name), mask)
    return { ...clip, faces: { path: name, ...mask.size } }
  })
  return { clips: masked, faces: addedUp(counts) }
}

/** How much disk space the mask of a clip takes at most. */
export function maskBytes(clip: Clip): number {
  const { width, height } = maskSizeFor(clip.facts.video)
  return Math.ceil((lengthOfClip(clip) + 3) * maskRate) * width * height
}

function addedUp(counts: readonly FaceCounts[]): FaceCounts {
  const sum = (of: (one: FaceCounts) => number): number =>
    thousandths(counts.reduce((all, one) => all + of(one), 0))
  return {
    tracks: sum(({ tracks }) => tracks),
    seconds: sum(({ seconds }) => seconds),
    uncertainSeconds: sum(({ uncertainSeconds }) => uncertainSeconds),
  }
}

/** In smaller pictures, faces at the back of a room would be missed. */
const mostPixels = 1_440_000

type LookedAtFaces = {
  readonly shown: Stream<'video'>
  readonly size: { readonly w: number; readonly h: number }
}

/** The pictures in which faces are looked for. */
function lookOf({ video, facts }: Clip): LookedAtFaces {
  const { width, height } = facts.video
  const scale = Math.min(1, Math.sqrt(mostPixels / (width * height)))
  const size = { w: nearestEven(width * scale), h: nearestEven(height * scale) }
  const shown = pipeAll(video, [
    ['fps', { fps: maskRate, start_time: 0 }],
    ['scale', { ...size, flags: 'area' }],
    ['format', { pix_fmts: 'rgb24' }],
  ])
  return { shown, size }
}

async function lookAt(
  tools: ToolContext,
  { shown, size }: LookedAtFaces,
  findFaces: FindFaces,
  onSeconds: (seconds: number) => void,
): Promise<FacesAt[]> {
  const watch = new FaceWatch(findFaces, tools.signal)
  let count = 0
  const reading = { stream: shown, pictureBytes: size.w * size.h * 3 }
  await readPictures(tools, reading, async (pixels) => {
    const seconds = count++ / maskRate
    await watch.look({ width: size.w, height: size.h, pixels }, seconds)
    onSeconds(seconds)
  })
  return watch.finish()
}

/**
 * A name that depends on the content, so that findings about a covered clip are recognised wherever the clip stands. Parsing
 * gives kept faces and newly found ones the same order of fields.
 */
function nameOf(found: readonly FacesAt[], { size }: FaceMask): string {
  const inOrder = JSON.stringify([facesAt.parse(found), size])
  return `faces-${hash('sha256', inOrder).slice(0, 16)}.gray`
}

/** Writes the mask. Pictures in which nothing is covered are holes of the file, which read as zeros. */
async function writeMask(file: string, { size, pictures, pictureAt }: FaceMask): Promise<void> {
  const bytes = size.width * size.height
  await using handle = await open(file, 'w', 0o640)
  for (let place = 0; place < pictures; place++) {
    const mask = pictureAt(place)
    if (mask) await handle.write(mask, 0, bytes, place * bytes)
  }
  await handle.truncate(pictures * bytes)
}
