import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Check } from '../../../worker/contract/job/check.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { readTool } from '../../ffmpeg/process/run-tool.ts'
import { isBrief } from '../pictures-checked.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import { cropRectangle } from '../../render/frame/crop-rectangle.ts'
import type { Box } from '../../numbers/picture-box.ts'
import { areaOf, overlapOf } from '../../insight/objects/find-boxes.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'
import { shrinking, type Look, type LookInput } from './look-at-film.ts'
import { say, type Looked, failedAt, asDoubt } from './check-tables.ts'
import { edgeShare } from './check-title-safe.ts'
import { shownSeconds, sourceAt } from './source-moments.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { keyTimes } from './film-tables.ts'

/** A face is searched for in about as much time as encoding two pictures takes. */
const mostMoments = { brief: 2, long: 3 } as const
/** Pixels of the longer side of the pictures searched: smaller faces are not the subject of a film. */
const lookSide = 512

/** Key pictures of the film that are searched for faces, and how they are looked at. */
type FacesLook = {
  readonly look: Extract<Look, { kind: 'some' }>
  readonly times: readonly number[]
  readonly size: Size
}

/** Undefined if no crop can cut into a face. `input`: decodes only key pictures. */
export function looksAtFaces(looked: Looked, input: LookInput): FacesLook | undefined {
  const { planned, film } = looked
  const isCropped = planned.clips.some(({ facts }) => visibleOf(looked, facts.video))
  if (!isCropped || film.plan.video === 'copy') return undefined
  const { places, times } = momentsOf(looked)
  const size = sizeToSearch(film.facts.video)
  const { index } = film.facts.video
  return { look: { kind: 'some', input, index, places, size }, times, size }
}

/**
 * Whether the crop cuts into faces that the source shows whole. Searches a few key pictures of the film and, if a face
 * touches an edge, the same moment of the source. Undefined if it cuts into none.
 */
export async function checkFaces(
  looked: Looked,
  { times, size }: FacesLook,
  bytes: Buffer = Buffer.alloc(0),
): Promise<Check | undefined> {
  const { planned, tables } = looked
  const { findFaces } = planned.context.providers
  const { signal } = planned.context.tools
  const each = size.width * size.height * 3
  const doubts: { at: number; area: number }[] = []
  for (const [i, at] of times.entries()) {
    const pixels = bytes.subarray(i * each, (i + 1) * each)
    if (pixels.length < each) break
    const faces = await findFaces({ picture: { ...size, pixels }, known: [] }, signal)
    const areas = faces.filter((face) => isAtEdge(face, whole)).map(areaOf)
    if (areas.length > 0) doubts.push({ at, area: Math.max(...areas) })
  }
  // To show one moment of the source, a decoder may have to read ten seconds of it.
  const [clearest] = doubts.toSorted((a, b) => b.area - a.area)
  if (!clearest || !(await cutsFace(looked, clearest.at))) return undefined
  const { at } = clearest
  const endTime = Math.min(tables.picture.endSeconds, at + shownSeconds)
  const told = `A face that its source shows whole lies at the edge: at ${say(at)} s.`
  return asDoubt(failedAt('title-safe', told, at, endTime))
}

/** Whether the source shows a face whole at a moment of the film at which the crop cuts into it. */
async function cutsFace(looked: Looked, at: number): Promise<boolean> {
  const { clips, context } = looked.planned
  const same = sourceAt(looked, at)
  const clip = same && clips[same.source.clip]
  const seen = clip && visibleOf(looked, clip.facts.video)
  if (!seen) return false
  const source = { name: storedStream(clip.video).from.path, facts: clip.facts }
  const picture = await pictureOfSource(looked, source, same.source.from)
  const { signal } = context.tools
  const faces = picture ? await context.providers.findFaces({ picture, known: [] }, signal) : []
  // What only one of the two models takes for a face is often none, such as a fractal.
  return faces.some((face) => face.isSure && !isAtEdge(face, whole) && isCutBy(face, seen))
}

const whole: Box = { left: 0, top: 0, right: 1, bottom: 1 }
/** If less of a face than this is inside, a viewer does not see that it is cut. */
const leastInside = 0.2

/** Whether a face reaches into the edge of the visible part. */
function isAtEdge(face: Box, { left, top, right, bottom }: Box): boolean {
  const [across, down] = [(right - left) * edgeShare, (bottom - top) * edgeShare]
  const isOver = face.left < left + across || face.right > right - across
  return isOver || face.top < top + down || face.bottom > bottom - down
}

function isCutBy(face: Box, seen: Box): boolean {
  return overlapOf(face, seen) > leastInside * areaOf(face) && isAtEdge(face, seen)
}

/** The part of an upright source of this size that the film shows; undefined if it shows all of it, or if the part changes. */
function visibleOf({ planned, film: { plan } }: Looked, { width, height }: Size): Box | undefined {
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

/** Key pictures that are spread evenly over the film: their places, and when they are shown. */
function momentsOf({ tables: { picture } }: Looked) {
  const keys = keyTimes(picture)
  const most = isBrief(picture.at.length) ? mostMoments.brief : mostMoments.long
  const evenly = Array.from({ length: most }, (_, i) =>
    Math.floor(((i + 0.5) * keys.length) / most),
  )
  const places = [...new Set(evenly)].filter((place) => keys[place] !== undefined)
  return { places, times: places.flatMap((place) => keys[place] ?? []) }
}

function sizeToSearch({ width, height }: Size): Size {
  const scale = Math.min(1, lookSide / Math.max(width, height))
  const side = (pixels: number): number => Math.max(2, Math.round(pixels * scale))
  return { width: side(width), height: side(height) }
}

type FaceSource = { readonly name: string; readonly facts: Looked['film']['facts'] }

async function pictureOfSource(looked: Looked, { name, facts }: FaceSource, at: number) {
  const { tools } = looked.planned.context
  const { video, format } = facts
  const size = sizeToSearch(video)
  const from = Math.max(0, at - 0.25 / Math.max(1, video.averageFps))
  const file = 'faces.raw'
  const filters = `scale=${size.width}:${size.height}:${shrinking}`
  await readTool(tools, 'ffmpeg', [
    ...[...guardedGlobals, '-y', '-threads', '1', '-ss', from.toFixed(6)],
    ...guardedInput(name, demuxers[format]),
    ...['-map', `0:${video.index}`, '-frames:v', '1', '-vf', filters],
    ...['-f', 'rawvideo', `file:${file}`],
  ])
  const inFolder = path.join(tools.folder, file)
  const pixels = await readFile(inFolder).catch(() => Buffer.alloc(0))
  await rm(inFolder, { force: true })
  return pixels.length === size.width * size.height * 3 ? { ...size, pixels } : undefined
}
