import { describe, expect, it } from 'vitest'
import {
  leadPictures,
  maskFaces,
  maskRate,
} from '../../../../containers/insight/cover/face-mask.ts'
import type { FacesAt } from '../../../../containers/insight/faces/track-faces.ts'

const film = { width: 320, height: 180 }

/** A face that walks from left to right in three seconds. */
function walk(isFound: (place: number) => boolean): FacesAt[] {
  return Array.from({ length: 30 }, (_, place) => {
    const x = 0.2 + place * 0.012
    const face = { score: 0.9, left: x - 0.05, right: x + 0.05, top: 0.4, bottom: 0.57 }
    return { seconds: place / maskRate, faces: isFound(place) ? [face] : [] }
  })
}

const coverAt = (found: FacesAt[], place: number, x: number, y: number): boolean => {
  const { size, pictureAt } = maskFaces(found, film)
  const picture = pictureAt(place + leadPictures)
  return picture?.[Math.floor(y * size.height) * size.width + Math.floor(x * size.width)] === 255
}

describe('maskFaces', () => {
  it('covers a head wherever it is, through a loss, and before and after it was found', () => {
    const found = walk((place) => place >= 6 && place < 24 && (place < 10 || place > 18))
    for (let place = 6; place < 24; place++) {
      const x = 0.2 + place * 0.012
      // Brows and chin, hair above and the ears.
      for (const [dx, y] of [
        [0, 0.42],
        [0, 0.56],
        [0, 0.32],
        [0.06, 0.45],
        [-0.06, 0.45],
      ] as const)
        expect(coverAt(found, place, x + dx, y)).toBe(true)
      expect(coverAt(found, place, x + 0.25, 0.5)).toBe(false)
      expect(coverAt(found, place, x, 0.9)).toBe(false)
    }
    expect(coverAt(found, 2, 0.26, 0.45)).toBe(true)
    expect(coverAt(found, 28, 0.48, 0.45)).toBe(true)
    const { counts } = maskFaces(found, film)
    expect(counts.tracks).toBe(1)
    expect(counts.seconds).toBeCloseTo(2.9, 0)
    // Nine pictures in the middle, and half a second at both ends.
    expect(counts.uncertainSeconds).toBeGreaterThanOrEqual(1.9)
    expect(counts.uncertainSeconds).toBeLessThan(2.3)
  })

  it('covers a face while it comes in at an edge, and nothing of it in the shot before', () => {
    // Half of it is in the picture when it is found, which it is from the tenth picture on.
    const coming = Array.from({ length: 40 }, (_, place): FacesAt => {
      const x = 0.01 * (place - 10)
      const face = { score: 0.9, left: x - 0.1, right: x + 0.1, top: 0.4, bottom: 0.6 }
      return { seconds: place / maskRate, faces: place < 20 ? [] : [{ ...face, isSure: true }] }
    })
    expect([12, 14, 18].map((place) => coverAt(coming, place, 0.01, 0.5))).toEqual([
      true,
      true,
      true,
    ])
    const cut = coming.map((one, place) => ({ ...one, isCut: place === 18 }))
    expect([15, 16, 18].map((place) => coverAt(cut, place, 0.05, 0.5))).toEqual([
      false,
      false,
      true,
    ])
  })

  it('covers nothing where a face is believed, once, among what nothing confirms', () => {
    const walked = walk(() => true)
    const doubted = walked.map((one, place) => ({
      ...one,
      faces: one.faces.map((face) => ({ ...face, score: 0.6, isSure: place === 5 })),
    }))
    expect(maskFaces(doubted, film).counts.tracks).toBe(0)
    // What is alike two seconds before a face that is sure is none of it.
    const late = walked.map((one, place) => ({
      ...one,
      faces: one.faces.map((face) => ({ ...face, isSure: place > 16 })),
    }))
    const strayed = late.filter((_, place) => place === 0 || place > 16)
    expect(maskFaces(strayed, film).counts.seconds).toBeLessThan(2.2)
  })

  it('covers what was seen for a moment alone if a second model has seen it too', () => {
    const found = walk((place) => place === 12)
    expect(maskFaces(found, film).counts.tracks).toBe(0)
    const sure = found.map(({ seconds, faces }) => ({
      seconds,
      faces: faces.map((face) => ({ ...face, isSure: true })),
    }))
    expect(maskFaces(sure, film).counts.tracks).toBe(1)
  })

  it('covers nothing where no face is', () => {
    const { counts, pictures, pictureAt } = maskFaces(
      walk(() => false),
      film,
    )
    expect(counts).toEqual({ tracks: 0, seconds: 0, uncertainSeconds: 0 })
    expect(pictures).toBeGreaterThanOrEqual(30 + leadPictures)
    expect(pictureAt(10)).toBeUndefined()
  })
})
