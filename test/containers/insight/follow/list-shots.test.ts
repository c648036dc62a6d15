import { describe, expect, it } from 'vitest'
import type { FacesAt } from '../../../../containers/insight/faces/track-faces.ts'
import { listShots } from '../../../../containers/insight/follow/list-shots.ts'
import { planScenes } from '../../../../containers/render/frame/reframe-scenes.ts'

const picture = { width: 1920, height: 1080 }

/** A face of a twelfth of the picture, at this place across. */
const face = (across: number) => {
  return { left: across - 0.04, right: across + 0.04, top: 0.3, bottom: 0.44, score: 0.9 }
}

/** Ten minutes without a cut. */
const looks = Array.from({ length: 2400 }, (_, i) => i / 4)

describe('listShots', () => {
  it('knows people again where they were, however often they turn away in a long shot', () => {
    const seen = looks.map((seconds) => ({
      seconds,
      // Each looks away for 3 of 10 seconds, one after the other.
      faces: [0.15, 0.85].flatMap((across, who) =>
        (seconds + who * 4) % 10 < 7 ? [face(across + 0.01 * Math.sin(seconds))] : [],
      ),
    }))
    const [shot, ...others] = listShots({ looks: seen, bodies: [], cuts: [], end: 600 })
    expect(others).toEqual([])
    expect(shot?.people.map((person) => Math.round(person.length / 100))).toEqual([17, 17])
    expect(
      shot?.people.every(
        (person) => Math.abs((person[0]?.left ?? 0) - (person.at(-1)?.left ?? 1)) < 0.05,
      ),
    ).toBe(true)
    const scenes = planScenes(shot ? [shot] : [], [], { picture, ratio: 9 / 16 })
    expect(scenes.map(({ mode, faces }) => [mode, faces])).toEqual([['halves', 2]])
  })

  it('takes faces at other places, and those that are seen at once, for other people', () => {
    const seen = looks.slice(0, 80).map((seconds) => ({
      seconds,
      faces: seconds < 5 ? [face(0.2)] : seconds < 10 ? [] : [face(0.25), face(0.34)],
    }))
    const [shot] = listShots({ looks: seen, bodies: [], cuts: [], end: 20 })
    expect(shot?.people.map((person) => person.length)).toEqual([60, 40])
    const [before, after] = listShots({ looks: seen, bodies: [], cuts: [7.5], end: 20 })
    expect([before?.people.length, after?.people.length]).toEqual([1, 2])
  })

  it('keeps a face that runs to and fro, by twice its own size from one look to the next', () => {
    const ran = (seconds: number) => 0.1 + 0.16 * (5 - Math.abs(((seconds * 4) % 10) - 5))
    const seen = looks.slice(0, 41).map((seconds) => ({ seconds, faces: [face(ran(seconds))] }))
    const shots = listShots({ looks: seen, bodies: [], cuts: [], end: 10 })
    expect(shots[0]?.people.map((person) => person.length)).toEqual([41])
    const [scene] = planScenes(shots, [], { picture, ratio: 9 / 16 })
    // It turns at both sides every 1.25 seconds, and so does the crop.
    expect(scene?.aims[0]?.across.map(({ seconds }) => Math.round(seconds / 1.25))).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8,
    ])
  })

  it('shows all of a shot in which somebody runs faster than the crop may move', () => {
    const swung = (seconds: number) => 0.5 + 0.38 * Math.sin(seconds * 5)
    const seen = looks.slice(0, 41).map((seconds) => {
      return { seconds, faces: [{ ...face(swung(seconds)), isSure: true }] }
    })
    const shots = listShots({ looks: seen, bodies: [], cuts: [], end: 10 })
    const scenes = planScenes(shots, [], { picture, ratio: 9 / 16 })
    expect(scenes.map(({ mode }) => mode)).toEqual(['wide'])
  })

  it('follows who is seen most, if nobody is seen in a fifth of the shot', () => {
    const seen = looks.map((seconds) => ({
      seconds,
      // A minute in the first shot, and half a second in the other one.
      faces:
        (seconds > 100 && seconds < 160) || (seconds >= 400 && seconds < 400.5) ? [face(0.8)] : [],
    }))
    const scenes = planScenes(listShots({ looks: seen, bodies: [], cuts: [300], end: 600 }), [], {
      picture,
      ratio: 9 / 16,
    })
    expect(scenes.map(({ faces, aims }) => [faces, aims[0]?.across[0]?.at])).toEqual([
      [1, expect.closeTo(0.8, 1)],
      [0, 0.5],
    ])
  })

  it('is about a body where no face is seen in a shot, and about faces where they are', () => {
    const seen = looks
      .slice(0, 80)
      .map((seconds) => ({ seconds, faces: seconds < 10 ? [] : [face(0.2)] }))
    const bodies = looks
      .filter((seconds) => seconds < 20 && seconds % 1 === 0)
      .map((seconds) => ({ seconds, faces: [face(0.8)] }))
    const shots = listShots({ looks: seen, bodies, cuts: [10], end: 20 })
    const scenes = planScenes(shots, [], { picture, ratio: 9 / 16 })
    expect(scenes.map(({ mode, aims }) => [mode, aims[0]?.across[0]?.at])).toEqual([
      ['crop', expect.closeTo(0.8, 1)],
      ['crop', expect.closeTo(0.2, 1)],
    ])
  })

  it('is about no body that is seen in one look, unless that is sure', () => {
    const empty = looks.slice(0, 16).map((seconds) => ({ seconds, faces: [] }))
    const crops = (score: number, times: number) => {
      const bodies = [0, 1, 2, 3].map((seconds) => ({
        seconds,
        faces: seconds < times ? [{ ...face(0.8), score }] : [],
      }))
      const shots = listShots({ looks: empty, bodies, cuts: [], end: 4 })
      return planScenes(shots, [], { picture, ratio: 9 / 16 })[0]?.aims[0]?.across[0]?.at
    }
    expect([crops(0.4, 1), crops(0.4, 2), crops(0.7, 1)]).toEqual([
      0.5,
      expect.closeTo(0.8, 1),
      expect.closeTo(0.8, 1),
    ])
  })

  it('is about a face that nothing confirms if it is seen for most of a shot and nobody else is', () => {
    const drawn = { ...face(0.2), score: 0.6 }
    const aimsOf = (share: number, bodies: readonly FacesAt[]) => {
      const seen = looks
        .slice(0, 40)
        .map((seconds, i) => ({ seconds, faces: i < share * 40 ? [drawn] : [] }))
      const shots = listShots({ looks: seen, bodies, cuts: [], end: 10 })
      return planScenes(shots, [], { picture, ratio: 9 / 16 })[0]?.aims[0]?.across[0]?.at
    }
    const standing = [0, 1, 2].map((seconds) => ({ seconds, faces: [face(0.8)] }))
    expect([aimsOf(0.9, []), aimsOf(0.4, []), aimsOf(0.9, standing)]).toEqual([
      expect.closeTo(0.2, 1),
      0.5,
      expect.closeTo(0.8, 1),
    ])
  })
})
