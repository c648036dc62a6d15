import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Check } from '../../../worker/contract/job/check.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { readTool } from '../../ffmpeg/process/run-tool.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import { cropRectangle } from '../../render/frame/crop-rectangle.ts'
import type { SeenFace } from '../../insight/faces/face-boxes.ts'
import { say, thousandths, type Looked } from './check-tables.ts'
import { edgeShare } from './check-title-safe.ts'
import { sourceStretch } from './source-moments.ts'

const mostMoments = 3
/** A face is where it was for as long as this. */
const shownSeconds = 0.4
/** Pixels of the longer side of what is looked at: smaller faces are no subject of a film. */
const lookSide = 512

type Sides = Pick<SeenFace, 'left' | 'top' | 'right' | 'bottom'>

/**
 * Whether a crop cuts into faces that the source shows whole: looks at a few key pictures of the film, and where a face lies at its
 * edge, at the same moments of the source. Undefined if it cuts into none.
 */
export async function checkFaces(looked: Looked): Promise<Check | undefined> {
  const { planned, film, tables } = looked
  const isCropped = planned.clips.some(({ facts }) => visibleOf(looked, facts.video))
  if (!isCropped || film.plan.video === 'copy') return undefined
  const { findFaces } = planned.context.providers
  const { signal } = planned.context.tools
  const own = { name: film.name, facts: film.facts }
  const doubts: { at: number; area: number }[] = []
  for (const at of momentsOf(looked)) {
    const picture = await pictureAt(looked, own, { at, isKey: true })
    const faces = picture ? await findFaces({ picture, known: [] }, signal) : []
    const areas = faces.filter((face) => isAtEdge(face, whole)).map(areaOf)
    if (areas.length > 0) doubts.push({ at, area: Math.max(...areas) })
  }
  // To show one moment of the source, a decoder may have to read ten seconds of it.
  const [clearest] = doubts.toSorted((a, b) => b.area - a.area)
  if (!clearest || !(await cutsFace(looked, clearest.at))) return undefined
  const { at } = clearest
  const endTime = Math.min(tables.picture.endSeconds, at + shownSeconds)
  return {
    ...{ name: 'title-safe', result: 'warned' },
    message: `A face that its source shows whole lies at the edge: at ${say(at)} s.`,
    stretch: { startTime: thousandths(at), endTime: thousandths(endTime) },
  }
}

/** Whether the source shows a face whole at a moment of the film at which the crop cuts into it. */
async function cutsFace(looked: Looked, at: number): Promise<boolean> {
  const { clips, context } = looked.planned
  const same = sourceStretch(looked, { from: at, to: at + shownSeconds }, shownSeconds / 4)
  const clip = same && clips[same.source.clip]
  const seen = clip && visibleOf(looked, clip.facts.video)
  if (!seen) return false
  const source = { name: storedStream(clip.video).from.path, facts: clip.facts }
  const picture = await pictureAt(looked, source, { at: same.source.from, isKey: false })
  const { signal } = context.tools
  const faces = picture ? await context.providers.findFaces({ picture, known: [] }, signal) : []
  return faces.some((face) => !isAtEdge(face, whole) && isCutBy(face, seen))
}

const whole: Sides = { left: 0, top: 0, right: 1, bottom: 1 }
/** Of a face that lies farther outside, nobody sees that it is cut. */
const leastInside = 0.2

/** Whether a face reaches into the edge of the visible part. */
function isAtEdge(face: Sides, { left, top, right, bottom }: Sides): boolean {
  const [across, down] = [(right - left) * edgeShare, (bottom - top) * edgeShare]
  const isOver = face.left < left + across || face.right > right - across
  return isOver || face.top < top + down || face.bottom > bottom - down
}

function isCutBy(face: Sides, seen: Sides): boolean {
  const width = Math.min(face.right, seen.right) - Math.max(face.left, seen.left)
  const height = Math.min(face.bottom, seen.bottom) - Math.max(face.top, seen.top)
  const inside = (Math.max(0, width) * Math.max(0, height)) / areaOf(face)
  return inside > leastInside && isAtEdge(face, seen)
}

function areaOf({ left, top, right, bottom }: Sides): number {
  return Math.max(1e-9, (right - left) * (bottom - top))
}

/** The part of an upright source of this size that the film shows; undefined if it shows all of it, or what it shows changes. */
function visibleOf(
  { planned, film: { plan } }: Looked,
  { width, height }: { readonly width: number; readonly height: number },
): Sides | undefined {
  const { rotate, flip, crop, resizeMode } = planned.context.job.options
  const isOther = rotate !== 0 || flip !== undefined
  if (isOther || planned.clips.some(({ seen, asked }) => seen ?? asked.fit)) return undefined
  const all = { width, height }
  const part = crop ? cropRectangle(all, { crop, grid: 2, field: 'crop', of: 'video' }) : undefined
  const { x, y, ...kept } = part ?? { x: 0, y: 0, ...all }
  const ratio = plan.width / plan.height / (kept.width / kept.height)
  const isCovered = resizeMode === 'cover'
  const [across, down] = isCovered ? [Math.min(1, ratio), Math.min(1, 1 / ratio)] : [1, 1]
  const seen = {
    left: (x + (kept.width * (1 - across)) / 2) / width,
    top: (y + (kept.height * (1 - down)) / 2) / height,
    right: (x + (kept.width * (1 + across)) / 2) / width,
    bottom: (y + (kept.height * (1 + down)) / 2) / height,
  }
  const isWhole = seen.right - seen.left > 0.98 && seen.bottom - seen.top > 0.98
  return isWhole ? undefined : seen
}

/** Key pictures that lie evenly in the film. */
function momentsOf({ tables: { picture } }: Looked): number[] {
  const keys = [...picture.at].filter((_, i) => picture.keys[i] === 1)
  const places = Array.from({ length: mostMoments }, (_, i) =>
    Math.floor(((i + 0.5) * keys.length) / mostMoments),
  )
  return [...new Set(places)].flatMap((place) => keys[place] ?? [])
}

type Shown = { readonly name: string; readonly facts: Looked['film']['facts'] }
type Wanted = { readonly at: number; readonly isKey: boolean }

async function pictureAt(looked: Looked, { name, facts }: Shown, { at, isKey }: Wanted) {
  const { tools } = looked.planned.context
  const { video, format } = facts
  const scale = Math.min(1, lookSide / Math.max(video.width, video.height))
  const [width, height] = [video.width, video.height].map((side) =>
    Math.max(2, Math.round(side * scale)),
  )
  const size = { width: width ?? 2, height: height ?? 2 }
  const from = Math.max(0, at - 0.25 / Math.max(1, video.averageFps))
  const file = 'faces.raw'
  const filters = `scale=${size.width}:${size.height}:flags=area,format=rgb24`
  await readTool(tools, 'ffmpeg', [
    ...[...guardedGlobals, '-y', '-threads', '1'],
    ...(isKey ? ['-skip_frame:v', 'nokey'] : []),
    ...['-ss', from.toFixed(6)],
    ...guardedInput(name, demuxers[format]),
    ...['-map', `0:${video.index}`, '-frames:v', '1', '-vf', filters],
    ...['-f', 'rawvideo', `file:${file}`],
  ])
  const inFolder = path.join(tools.folder, file)
  const pixels = await readFile(inFolder).catch(() => Buffer.alloc(0))
  await rm(inFolder, { force: true })
  return pixels.length === size.width * size.height * 3 ? { ...size, pixels } : undefined
}
