import type { Box } from '../../numbers/picture-box.ts'
import type { RgbPicture } from '../objects/object-model.ts'
import { isSameFace, oncePerFace, type SeenFace } from './face-boxes.ts'
import { cutDetector, isSureCut } from './cut-detector.ts'
import type { FindFaces } from './face-model.ts'
import { halvedPicture } from './halved-picture.ts'
import { trackFaces, type FacesAt } from './track-faces.ts'
import type { Size, Rect } from '../../../worker/contract/layout/element-layout.ts'
import { medianOf } from '../../numbers/mean.ts'

/** Larger pictures are halved, and examined in full only now and then. */
const usualPixels = 520_000
/** How often small faces are looked for, and known ones are checked again. */
const closeLookSeconds = 1
/** How many of the likeliest faces are then checked, so that a crowd costs as much as a second look in full. */
const mostChecked = 100
/** For how long a face that is not found any more is looked for where it was. */
const missedSeconds = 1
/** How many faces are looked for in this way in one picture: their places together are as large as it. */
const mostMissed = 100
/** A face found this certainly is looked for where it was, even if it was never confirmed: it may turn round. */
const likely = 0.76
/** How many of those, and of places that changed, are examined in one picture, because each is checked there. */
const mostLikely = 8
/** Taller faces, in pixels, are found in the halved picture too, if they can be found at all. */
const tallest = 96
/** The area examined around a face: in sides of the face, and in pixels. */
const around = { sides: 4, least: 128 }

type SeenPicture = { readonly picture: RgbPicture; readonly seconds: number; faces: SeenFace[] }

/**
 * The faces of successive pictures of one film. Large pictures are examined at half their size; once a second, and after a cut,
 * one is examined in full. A small face that is found then is looked for around its place in the pictures after it, and in
 * those before it.
 */
export class FaceWatch {
  readonly #findFaces: FindFaces
  readonly #signal: AbortSignal
  /** The pictures of the last second, but none from before a cut. */
  readonly #found: SeenPicture[] = []
  readonly #done: FacesAt[] = []
  readonly #changes: number[] = []
  readonly #isCut = cutDetector(this.#changes)
  #lastClose = -Infinity

  constructor(findFaces: FindFaces, signal: AbortSignal) {
    this.#findFaces = findFaces
    this.#signal = signal
  }

  async look(picture: RgbPicture, seconds: number): Promise<void> {
    const isLarge = picture.width * picture.height > usualPixels
    const isCut = this.#isCut(picture)
    if (isCut) this.#settle(Infinity)
    const isClose = isCut || seconds - this.#lastClose >= closeLookSeconds
    const recent = this.#recent(seconds)
    const asked = isClose ? { known: [], mostChecked } : { known: recent.filter(isSure) }
    const usual = isLarge ? halvedPicture(picture) : picture
    const faces = await this.#findFaces({ picture: usual, ...asked }, this.#signal)
    const seen: SeenPicture = { picture, seconds, faces }
    const isNew = (face: SeenFace): boolean => mayBeFace(face) && !isAmong(face, recent)
    if (isClose) this.#lastClose = seconds
    if (isClose && isLarge) {
      const known = faces.filter(isSure)
      const close = await this.#findFaces({ picture, known, mostChecked }, this.#signal)
      seen.faces = oncePerFace([...faces, ...close])
      await this.#lookBack(seen.faces.filter(isNew))
    }
    if (isLarge && !isClose) await this.#lookWhereChanged(seen, recent.filter(isSure))
    // A face that was found again but is doubted now does not count as known.
    const missed = isClose ? recent.filter((face) => !isAmong(face, seen.faces)) : recent
    if (isLarge) await this.#lookFor(seen, missed, isClose ? [] : recent.filter(isSure))
    this.#found.push(seen)
    this.#settle(seconds - closeLookSeconds)
  }

  /** All pictures that were looked at, in order. */
  finish(): FacesAt[] {
    this.#settle(Infinity)
    return this.#done.map((one, i) => (isSureCut(this.#changes, i) ? { ...one, isCut: true } : one))
  }

  /** Faces found before this moment do not change any more. */
  #settle(before: number): void {
    const count = this.#found.filter(({ seconds }) => seconds < before).length
    for (const { seconds, faces } of this.#found.splice(0, count)) {
      this.#done.push({ seconds, faces })
    }
  }

  /** Every face that was seen a short while ago, where it was last. */
  #recent(seconds: number): SeenFace[] {
    return trackFaces(this.#found, { mostLostSeconds: missedSeconds }).flatMap((track) => {
      const last = track.at(-1)
      return last && seconds - last.seconds <= missedSeconds && mayBeFace(last) ? [last] : []
    })
  }

  /** Adds those of some faces that are only found from close up. Where a face is known, findings are not checked. */
  async #lookFor(
    seen: SeenPicture,
    some: readonly SeenFace[],
    known: readonly SeenFace[],
  ): Promise<void> {
    const { picture } = seen
    const isSmall = ({ top, bottom }: SeenFace) => (bottom - top) * picture.height <= tallest
    const small = some.filter(isSmall)
    const sure = small.filter(isSure).slice(0, mostMissed)
    const doubted = small.filter((face) => !isSure(face)).slice(0, mostLikely)
    for (const face of [...sure, ...doubted]) {
      if (isAmong(face, isSure(face) ? seen.faces.filter(isSure) : seen.faces)) continue
      await this.#lookNear(seen, face, known)
    }
  }

  /** Finds people who come and go between two looks in full. Places of faces that are found already are not examined again. */
  async #lookWhereChanged(seen: SeenPicture, known: readonly SeenFace[]): Promise<void> {
    const before = this.#found.at(-1)
    if (!before) return
    const isNew = (place: Box): boolean => !isAmong(place, seen.faces.filter(isSure))
    const places = changedPlaces(before.picture, seen.picture).filter(isNew)
    for (const place of places.slice(0, mostLikely)) {
      if (isNew(place)) await this.#lookNear(seen, place, known)
    }
  }

  async #lookNear(seen: SeenPicture, place: Box, known: readonly SeenFace[]): Promise<void> {
    const { picture } = seen
    const region = regionAround(place, picture)
    const near = await this.#findFaces(
      {
        picture: cropped(picture, region),
        known: known.map((one) => within(one, region, picture)),
        mostChecked: 1,
      },
      this.#signal,
    )
    const found = near.map((one) => ({ ...one, ...outOf(one, region, picture) }))
    seen.faces = oncePerFace([...seen.faces, ...found])
  }

  /** Follows new faces back into the earlier pictures. */
  async #lookBack(faces: readonly SeenFace[]): Promise<void> {
    let wanted = faces
    for (const before of this.#found.toReversed()) {
      if (wanted.length === 0) return
      await this.#lookFor(before, wanted, wanted.filter(isSure))
      const next = wanted.flatMap((face) => before.faces.filter((one) => isSameFace(one, face)))
      wanted = oncePerFace(next.filter(mayBeFace))
    }
  }
}

const isSure = (face: SeenFace): boolean => face.isSure === true
const mayBeFace = (face: SeenFace): boolean => isSure(face) || face.score >= likely

function isAmong(face: Box, faces: readonly Box[]): boolean {
  return faces.some((other) => isSameFace(other, face))
}

function regionAround(face: Box, { width, height }: RgbPicture): Rect {
  const [wide, high] = [(face.right - face.left) * width, (face.bottom - face.top) * height]
  const side = Math.round(Math.max(around.least, around.sides * Math.max(wide, high)))
  const place = (middle: number, length: number): number =>
    Math.round(Math.min(Math.max(0, length - side), Math.max(0, middle * length - side / 2)))
  return {
    x: place((face.left + face.right) / 2, width),
    y: place((face.top + face.bottom) / 2, height),
    width: Math.min(side, width),
    height: Math.min(side, height),
  }
}

function cropped({ width, pixels }: RgbPicture, region: Rect): RgbPicture {
  const row = region.width * 3
  const cut = new Uint8Array(row * region.height)
  for (let y = 0; y < region.height; y++) {
    const from = ((region.y + y) * width + region.x) * 3
    cut.set(pixels.subarray(from, from + row), y * row)
  }
  return { width: region.width, height: region.height, pixels: cut }
}

/** A box of the picture as one of the region, and the other way round. */
function within(face: Box, region: Rect, { width, height }: Size): Box {
  return {
    left: (face.left * width - region.x) / region.width,
    right: (face.right * width - region.x) / region.width,
    top: (face.top * height - region.y) / region.height,
    bottom: (face.bottom * height - region.y) / region.height,
  }
}

function outOf(face: Box, region: Rect, { width, height }: Size): Box {
  return {
    left: (face.left * region.width + region.x) / width,
    right: (face.right * region.width + region.x) / width,
    top: (face.top * region.height + region.y) / height,
    bottom: (face.bottom * region.height + region.y) / height,
  }
}

/** Squares of this many pixels a side are compared, by one of `apart` pixels in each direction. */
const side = 32
const apart = 4
/** How many times as much as most of the picture, which a moving camera changes too. */
const leastChange = 8
/** And how many times as much as most of the picture, which a camera that moves changes as well. */
const leastTimes = 4
/** The area examined around a square includes its neighbours, so that they need no look of their own. */
const reach = 2 * side

/** Where only a part of a picture has changed since just before, the most changed places first. */
export function changedPlaces(before: RgbPicture, after: RgbPicture): Box[] {
  const { width, height } = after
  const squares = changesOf(before, after)
  const usual = medianOf(squares.map(({ change }) => change))
  const places: { x: number; y: number }[] = []
  for (const { x, y, change } of squares.toSorted((a, b) => b.change - a.change)) {
    if (change < Math.max(leastChange, leastTimes * usual)) break
    const isNear = places.some((one) => Math.max(Math.abs(one.x - x), Math.abs(one.y - y)) < reach)
    if (!isNear) places.push({ x, y })
  }
  return places.map(({ x, y }) => ({
    ...{ left: x / width, right: (x + side) / width },
    ...{ top: y / height, bottom: (y + side) / height },
  }))
}

function changesOf(before: RgbPicture, { width, height, pixels }: RgbPicture) {
  const squares: { x: number; y: number; change: number }[] = []
  for (const top of startsIn(height)) {
    for (const left of startsIn(width)) {
      let sum = 0
      for (let y = top; y < top + side; y += apart) {
        for (let x = left; x < left + side; x += apart) {
          // Only green, which contributes most to brightness.
          const at = (y * width + x) * 3 + 1
          sum += Math.abs((pixels[at] ?? 0) - (before.pixels[at] ?? 0))
        }
      }
      squares.push({ x: left, y: top, change: sum / (side / apart) ** 2 })
    }
  }
  return squares
}

/** Where the squares of a side of the picture begin: the last one may share some of its pixels with the one before. */
function startsIn(length: number): number[] {
  const count = Math.ceil(length / side)
  return Array.from({ length: count }, (_, i) => Math.max(0, Math.min(i * side, length - side)))
}
