import type { Box } from '../objects/find-boxes.ts'
import type { RgbPicture } from '../objects/object-model.ts'
import { isSameFace, oncePerFace, type SeenFace } from './face-boxes.ts'
import type { FindFaces } from './face-model.ts'
import { halved } from './halved.ts'
import type { FacesAt } from './track-faces.ts'

/** Larger pictures are halved, and looked at in all of their pixels only now and then. */
const usualPixels = 520_000
/** As often as this, small faces are looked for, and known ones are checked again. */
const closeLookSeconds = 1
/** A face that is not found is looked for where it was, for as long as this. */
const missedSeconds = 1
/** Of these, in one picture. */
const mostMissed = 8
/** Taller faces are found in the halved picture too, if they are to be seen at all. In pixels. */
const tallest = 96
/** What is looked at around a face: in sides of the face, and in pixels. */
const around = { sides: 4, least: 128 }

type Seen = { readonly picture: RgbPicture; readonly seconds: number; faces: SeenFace[] }

/**
 * The faces of successive pictures of one film. Large pictures are looked at in half of their size; once a second one is looked at
 * in full, and a small face that is found then is looked for around its place in the pictures behind it, and in those before it.
 */
export class FaceWatch {
  readonly #findFaces: FindFaces
  readonly #signal: AbortSignal
  readonly #found: Seen[] = []
  readonly #done: FacesAt[] = []
  #lastClose = -Infinity

  constructor(findFaces: FindFaces, signal: AbortSignal) {
    this.#findFaces = findFaces
    this.#signal = signal
  }

  async look(picture: RgbPicture, seconds: number): Promise<void> {
    const isLarge = picture.width * picture.height > usualPixels
    const isClose = seconds - this.#lastClose >= closeLookSeconds
    const recent = this.#recent(seconds)
    const known = isClose ? [] : recent
    const faces = await this.#find(isLarge ? halved(picture) : picture, known)
    const seen: Seen = { picture, seconds, faces }
    if (isClose) this.#lastClose = seconds
    if (isClose && isLarge) {
      const close = await this.#find(picture, faces.filter(isSure))
      seen.faces = oncePerFace([...faces, ...close])
      const isNew = (face: SeenFace): boolean => isSure(face) && !isAmong(face, recent)
      await this.#lookBack(seen.faces.filter(isNew))
    }
    // What was found again and is doubted now does not count as known.
    const missed = isClose ? recent.filter((face) => !isAmong(face, seen.faces)) : recent
    if (isLarge) await this.#lookFor(seen, missed)
    this.#found.push(seen)
    while ((this.#found[0]?.seconds ?? Infinity) < seconds - closeLookSeconds) this.#settle()
  }

  /** All pictures that were looked at, in order. */
  finish(): FacesAt[] {
    while (this.#found.length > 0) this.#settle()
    return this.#done
  }

  #settle(): void {
    const [first] = this.#found.splice(0, 1)
    if (first) this.#done.push({ seconds: first.seconds, faces: first.faces })
  }

  /** Every face that was surely seen a short while ago, where it was last. */
  #recent(seconds: number): SeenFace[] {
    const recent: SeenFace[] = []
    for (const before of this.#found.toReversed()) {
      if (seconds - before.seconds > missedSeconds) break
      recent.push(...before.faces.filter((face) => isSure(face) && !isAmong(face, recent)))
    }
    return recent
  }

  async #find(picture: RgbPicture, known: readonly Box[]): Promise<SeenFace[]> {
    return this.#findFaces({ picture, known }, this.#signal)
  }

  /** Adds those of some faces that are only found from near. */
  async #lookFor(seen: Seen, some: readonly SeenFace[]): Promise<void> {
    const { height } = seen.picture
    const sure = seen.faces.filter(isSure)
    const missed = some.filter(
      (face) => (face.bottom - face.top) * height <= tallest && !isAmong(face, sure),
    )
    for (const face of missed.slice(0, mostMissed)) {
      const region = regionAround(face, seen.picture)
      const near = await this.#find(cropped(seen.picture, region), [
        within(face, region, seen.picture),
      ])
      seen.faces = oncePerFace([
        ...seen.faces,
        ...near.map((one) => ({ ...one, ...outOf(one, region, seen.picture) })),
      ])
    }
  }

  /** Follows faces that are new into the pictures before. */
  async #lookBack(faces: readonly SeenFace[]): Promise<void> {
    let wanted = faces
    for (const before of this.#found.toReversed()) {
      if (wanted.length === 0) return
      await this.#lookFor(before, wanted)
      const next = wanted.flatMap((face) => before.faces.filter((one) => isSameFace(one, face)))
      wanted = oncePerFace(next.filter(isSure))
    }
  }
}

const isSure = (face: SeenFace): boolean => face.isSure === true

function isAmong(face: Box, faces: readonly Box[]): boolean {
  return faces.some((other) => isSameFace(other, face))
}

/** In pixels. */
type Region = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function regionAround(face: Box, { width, height }: RgbPicture): Region {
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

function cropped({ width, pixels }: RgbPicture, region: Region): RgbPicture {
  const row = region.width * 3
  const cut = new Uint8Array(row * region.height)
  for (let y = 0; y < region.height; y++) {
    const from = ((region.y + y) * width + region.x) * 3
    cut.set(pixels.subarray(from, from + row), y * row)
  }
  return { width: region.width, height: region.height, pixels: cut }
}

type Size = { readonly width: number; readonly height: number }

/** A box of the picture as one of the region, and the other way round. */
function within(face: Box, region: Region, { width, height }: Size): Box {
  return {
    left: (face.left * width - region.x) / region.width,
    right: (face.right * width - region.x) / region.width,
    top: (face.top * height - region.y) / region.height,
    bottom: (face.bottom * height - region.y) / region.height,
  }
}

function outOf(face: Box, region: Region, { width, height }: Size): Box {
  return {
    left: (face.left * region.width + region.x) / width,
    right: (face.right * region.width + region.x) / width,
    top: (face.top * region.height + region.y) / height,
    bottom: (face.bottom * region.height + region.y) / height,
  }
}
