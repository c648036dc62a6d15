import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { rawPictures, readPictures } from '../../ffmpeg/process/raw-pictures.ts'
import { type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { connect, pipe, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { fpsOf, rateText } from '../../timeline/frame-rate.ts'
import type { VideoFacts } from '../../timeline/media-facts.ts'
import type { SeenShot } from '../../timeline/seen-shots.ts'
import type { FindFaces } from '../faces/face-model.ts'
import type { FindBodies } from './find-bodies.ts'
import { cutDetector } from '../faces/cut-detector.ts'
import { halvedPicture } from '../faces/halved-picture.ts'
import type { SeenFace } from '../faces/face-boxes.ts'
import { nearestPairs, type FacesAt, type WatchedFace } from '../faces/track-faces.ts'
import type { RgbPicture } from '../objects/object-model.ts'
import { bytesOfCells, cellsAcross, cellsDown } from './film-look.ts'
import { findCuts } from './find-cuts.ts'
import { listShots } from './list-shots.ts'
import { watchMouth, type Watched } from './watch-mouths.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'

type WatchedClip = {
  readonly video: Stream<'video'>
  readonly facts: { readonly video: VideoFacts }
}

type Seeing = {
  readonly findFaces: FindFaces
  readonly findBodies: FindBodies
  /** Whether mouths are watched. */
  readonly isHeard: boolean
  /** The name of the files that are written for it. */
  readonly name: string
  readonly onSeconds: (seconds: number) => void
}

/** How often faces are looked for. */
const looksPerSecond = 4
/** How often mouths are watched: they open and close about four times a second. */
const watchesPerSecond = 12.5
/** Larger pictures would only show faces too small to matter. */
const mostPixels = 520_000
/** A picture without faces is examined in full, and for bodies, but within one shot no more often than this. */
const closeLookSeconds = 1
/** For how long a small face that was found is looked for in full. */
const smallSeconds = 2

/** Goes through a clip once: finds where its shots begin, and whose faces are seen in each. */
export async function seePeople(
  tools: ToolContext,
  clip: WatchedClip,
  { findFaces, findBodies, isHeard, name, onSeconds }: Seeing,
): Promise<SeenShot[]> {
  const { video } = clip.facts
  const fps = fpsOf(video.frameRate)
  const each = Math.max(1, Math.round(fps / watchesPerSecond))
  const between = Math.max(1, Math.round(fps / looksPerSecond / each))
  const size = sizeWithin(video)
  const cells = `${name}.cells`
  const looks: FacesAt[] = []
  const bodies: FacesAt[] = []
  /** The pictures since the last look, and that of the look itself. */
  let watched: Watched[] = []
  let pictures = 0
  let lastClose = -Infinity
  let lastSmall = -Infinity
  const beginsShot = cutDetector()
  const facesOf = async (picture: RgbPicture, seconds: number): Promise<readonly SeenFace[]> => {
    const isCut = beginsShot(picture)
    if (isCut) lastClose = -Infinity
    // A face that was seen in the look before is not checked again, except once a second and in another shot.
    const isKnown = !isCut && looks.length % looksPerSecond !== 0
    const known = isKnown ? (looks.at(-1)?.faces ?? []).filter(({ isSure }) => isSure) : []
    const faces = await findFaces({ picture: halvedPicture(picture), known }, tools.signal)
    if (faces.some(({ isSure }) => isSure) || seconds - lastClose < closeLookSeconds) return faces
    const close = await findFaces({ picture, known }, tools.signal)
    if (close.some(({ isSure }) => isSure)) lastSmall = seconds
    if (seconds - lastSmall < smallSeconds) {
      lastClose = -Infinity
      return close
    }
    lastClose = seconds
    bodies.push({ seconds, faces: await findBodies(halvedPicture(picture), tools.signal) })
    return close
  }
  const look = async (picture: RgbPicture): Promise<void> => {
    const seconds = (pictures * each) / fps
    watched.push({ seconds, picture })
    if (pictures++ % between !== 0) return
    const faces = await facesOf(picture, seconds)
    const last = looks.pop()
    if (last)
      looks.push(isHeard ? { ...last, faces: withMouths(last.faces, faces, watched) } : last)
    looks.push({ seconds, faces })
    watched = watched.slice(-1)
    onSeconds(seconds)
  }
  try {
    await seePictures(tools, { clip, each, size, cells }, look)
    const cuts = await cutsIn(path.join(tools.folder, cells), fps)
    return listShots({ looks, bodies, cuts, end: video.endSeconds })
  } finally {
    await rm(path.join(tools.folder, cells), { force: true })
  }
}

/** Faces smaller than this share of the largest one are not watched, because they do not count. */
const leastShare = 0.5

/** A single face is watched too: another person may be in the picture whose face is not found at the moment. */
function withMouths(
  before: readonly SeenFace[],
  after: readonly SeenFace[],
  watched: readonly Watched[],
): readonly WatchedFace[] {
  const wide = ({ left, right }: SeenFace): number => right - left
  const least = leastShare * Math.max(...before.map(wide))
  const known = before.filter((face) => wide(face) >= least).map((face) => ({ face }))
  const pairs = new Map(nearestPairs(known, after).map(([{ face }, next]) => [face, next]))
  return before.map((face) => {
    const next = pairs.get(face)
    const mouth = next && watchMouth(watched, face, next)
    return mouth ? { ...face, mouth } : face
  })
}

function sizeWithin({ width, height }: VideoFacts): Size {
  const factor = Math.min(1, Math.sqrt(mostPixels / (width * height)))
  const length = (side: number): number => Math.max(2, Math.round(side * factor))
  return { width: length(width), height: length(height) }
}

type PeopleReading = {
  readonly clip: WatchedClip
  /** One picture of this many is examined. */
  readonly each: number
  readonly size: Size
  /** The file to which small copies of all pictures are written. */
  readonly cells: string
}

async function seePictures(
  tools: ToolContext,
  { clip, each, size, cells }: PeopleReading,
  look: (picture: RgbPicture) => Promise<void>,
): Promise<void> {
  const { width, height } = size
  const fps = rateText(clip.facts.video.frameRate)
  const steady = pipe(clip.video, 'fps', { fps, start_time: 0 })
  const [all, some] = connect('split', [steady], ['video', 'video'])
  const small = pipeAll(all, [
    ['scale', { w: cellsAcross, h: cellsDown, flags: 'area' }],
    ['format', { pix_fmts: 'yuv420p' }],
  ])
  const large = pipeAll(some, [
    ['select', { expr: `not(mod(n,${each}))` }],
    ['scale', { w: width, h: height, flags: 'area' }],
    ['format', { pix_fmts: 'rgb24' }],
  ])
  const beside = [rawPictures(small, cells)]
  const reading = { stream: large, pictureBytes: width * height * 3, beside }
  await readPictures(tools, reading, async (pixels) => look({ width, height, pixels }))
}

/** How many seconds of a film are compared at once; pictures at the ends of a block belong to two. */
const blockSeconds = 60
const sharedSeconds = 4

/** When shots begin, each a quarter of a picture early, so that rounding never moves it behind its first picture. */
async function cutsIn(name: string, fps: number): Promise<number[]> {
  await using file = await open(name)
  const count = Math.floor((await file.stat()).size / bytesOfCells)
  const block = Math.round(blockSeconds * fps)
  const shared = Math.round(sharedSeconds * fps)
  const cuts: number[] = []
  for (let from = 0; from < count; from += block) {
    const [begin, end] = [Math.max(0, from - shared), Math.min(count, from + block + shared)]
    const bytes = new Uint8Array((end - begin) * bytesOfCells)
    await file.read(bytes, 0, bytes.length, begin * bytesOfCells)
    const found = findCuts({ bytes, fps }).map((at) => at + begin)
    cuts.push(...found.filter((at) => at >= from && at < from + block))
  }
  return cuts.map((at) => (at - 0.25) / fps)
}
