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
