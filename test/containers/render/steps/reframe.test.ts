import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cropPath, expressionOf } from '../../../../containers/render/frame/crop-path.ts'
import { planScenes } from '../../../../containers/render/frame/reframe-scenes.ts'
import { tellScenes } from '../../../../containers/job/measure/follow-people.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'
import { framesOf, type Frame } from '../../../support/containers/films/frame-pixels.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const faces = path.resolve('node_modules/@vladmandic/human/assets/screenshot-facedetect.jpg')
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '18', '-pix_fmt', 'yuv420p']

/** Each face has a bright green bar on either side, so that it can be told whether all of it is shown. */
const face = (at: number) => `crop=140:150:${at}:350,scale=90:96,pad=98:96:4:0:color=0x00ff00`
const ground = (color: string) => `color=${color}:s=640x360:r=15`

/** Two seconds with one face on the left, three in which it walks across, and two with two faces far apart. */
async function film(): Promise<string> {
  const shots = [
    `[0]split=4[a][b][c][d];[a]${face(14)}[f1];[b]${face(170)}[f2];[c]${face(14)}[f3];[d]${face(325)}[f4]`,
    `${ground('0x204060')}:d=2[g1];${ground('0x603020')}:d=3[g2];${ground('0x305030')}:d=2[g3]`,
    '[g1][f1]overlay=70:110[s1];[g2][f2]overlay=40+t*150:110[s2]',
    '[g3][f3]overlay=30:110[s3];[s3][f4]overlay=510:110[s4]',
    '[s1][s2][s4]concat=n=3:v=1:a=0,format=yuv420p',
  ]
  return makeFile('mp4', ['-i', faces, '-filter_complex', shots.join(';'), ...h264])
}

/** The columns in which the bars beside a face begin and end. */
function bars(frame: Frame, rows: readonly [number, number] = [0, frame.height]) {
  const green: number[] = []
  for (let x = 0; x < frame.width; x++) {
    for (let y = rows[0]; y < rows[1]; y += 2) {
      const [red, strength, blue] = frame.at(x, y)
      if (strength > 140 && strength > red + 60 && strength > blue + 60) {
        green.push(x)
        break
      }
    }
  }
  return { from: green[0] ?? -1, to: green.at(-1) ?? -1 }
}

const vertical = { aspectRatio: '9:16', resizeMode: 'follow', compressionQuality: 90 }

describe('reframe', () => {
  it('keeps the face of each shot inside, still where it can, moving evenly where it must', async () => {
    const { file, clips } = await renderVideo([{ file: await film() }], vertical)
    const frames = await framesOf(file)
    expect(frames).toHaveLength(105)
    expect(frames[0]).toMatchObject({ width: 202, height: 360 })
    const places = frames.slice(0, 75).map((frame) => bars(frame))
    // The bars are 98 pixels apart.
    expect(places.filter(({ from, to }) => Math.abs(to - from - 97) > 3)).toEqual([])
    const still = places.slice(0, 30).map(({ from }) => from)
    expect(Math.max(...still) - Math.min(...still)).toBeLessThan(2)
    // It walks by 10 pixels a picture; the crop goes with it, so that its place in the frame changes evenly.
    const walking = places.slice(30).map(({ from }) => from)
    const steps = walking.slice(1).map((from, i) => from - (walking[i] ?? 0))
    expect(steps.filter((step) => Math.abs(step) > 11)).toEqual([])
    const told = tellScenes(clips, optionsSchema.parse(vertical))
    expect(told?.scenes.map(({ mode, faces }) => [mode, faces])).toEqual([
      ...[['crop', 1] as const, ['crop', 1] as const],
      ['halves', 2],
    ])
    expect(told?.scenes.map(({ startTime }) => Math.round(startTime * 15))).toEqual([0, 30, 75])
    // The crop moves in the second scene alone, along with the face.
    expect(told?.scenes.map(({ moves }) => moves !== undefined)).toEqual([false, true, false])
    const { x = 0, endTime, moves = [] } = told?.scenes[1] ?? {}
    expect(moves.at(-1)?.time).toBe(endTime)
    expect(Math.abs((moves.at(-1)?.x ?? x) - x)).toBeGreaterThan(20)
    expect(moves.every((move) => !('y' in move))).toBe(true)
    // The left face above the right one, both whole.
    for (const frame of frames.slice(75)) {
      const [upper, lower] = [bars(frame, [0, 180]), bars(frame, [180, 360])]
      expect([upper.from > 0, upper.to < 201, lower.from > 0, lower.to < 201]).toEqual(
        Array.from({ length: 4 }, () => true),
      )
    }
  })

  it('shows what was asked for in place of what was found, in the time of the source', async () => {
    const scenes = [
      { startTime: 0, endTime: 1, x: '80%' },
      { startTime: 5, endTime: 7, mode: 'wide' },
    ]
    const asked = {
      ...vertical,
      reframe: { scenes },
      removeSegments: [{ startTime: 2, endTime: 5 }],
    }
    const { file, clips } = await renderVideo([{ file: await film() }], asked)
    const frames = await framesOf(file)
    expect(frames).toHaveLength(60)
    expect(frames.slice(0, 15).map((frame) => bars(frame).from)).toEqual(
      Array.from({ length: 15 }, () => -1),
    )
    expect(frames.slice(15, 30).every((frame) => bars(frame).to - bars(frame).from > 90)).toBe(true)
    // All of it, between black bars.
    const last = frames.at(-1)
    expect(last?.at(100, 20)).toEqual([0, 0, 0])
    expect(last && bars(last).to - bars(last).from).toBeGreaterThan(160)
    expect(tellScenes(clips, optionsSchema.parse(asked))?.scenes).toMatchObject([
      { startTime: 0, endTime: 1, mode: 'crop', x: 80, faces: 0 },
      { startTime: 1, mode: 'crop', faces: 1 },
      { mode: 'crop', faces: 1 },
      { startTime: 5, mode: 'wide' },
    ])
  })
})

describe('planScenes', () => {
  const person = (left: number, wide: number) =>
    [0, 0.25, 0.5, 0.75].map((seconds) => {
      return { seconds, left, right: left + wide, top: 0.3, bottom: 0.5 }
    })
  const modeOf = (people: ReturnType<typeof person>[], ratio: number) => {
    const looks = [0, 0.25, 0.5, 0.75]
    const shot = { startSeconds: 0, endSeconds: 1, looks, people }
    const picture = { width: 1920, height: 1080 }
    return planScenes([shot], [], { picture, ratio }).map(({ mode, faces }) => [mode, faces])
  }

  it('shows two who do not fit in as halves if the result is high, and the whole picture otherwise', () => {
    const apart = [person(0.05, 0.1), person(0.85, 0.1)]
    expect(modeOf(apart, 9 / 16)).toEqual([['halves', 2]])
    expect(modeOf(apart, 4 / 3)).toEqual([['wide', 2]])
    expect(modeOf([...apart, person(0.45, 0.1)], 9 / 16)).toEqual([['wide', 3]])
    expect(modeOf([person(0.4, 0.08), person(0.5, 0.08)], 9 / 16)).toEqual([['crop', 2]])
    // Somebody small in the background does not count.
    expect(modeOf([person(0.05, 0.1), person(0.85, 0.04)], 9 / 16)).toEqual([['crop', 1]])
    expect(modeOf([], 9 / 16)).toEqual([['crop', 0]])
  })

  it('shows of those whose turn is uncertain who is seen near it, where they were seen last', () => {
    const places = (left: number, from: number, to: number) =>
      Array.from({ length: (to - from) * 4 }, (_, i) => {
        return { seconds: from + i / 4, left, right: left + 0.1, top: 0.3, bottom: 0.5 }
      })
    const [one, other] = [places(0.05, 0, 100), places(0.85, 0, 40)]
    // Somebody passes by in the middle of the picture.
    const people = [one, other, places(0.45, 42, 46)]
    const turns = [
      { startSeconds: 0, endSeconds: 42, who: one },
      { startSeconds: 42, endSeconds: 46 },
      { startSeconds: 46, endSeconds: 80, who: one },
      { startSeconds: 80, endSeconds: 100 },
    ]
    const looks = one.map(({ seconds }) => seconds)
    const shot = { startSeconds: 0, endSeconds: 100, looks, people, turns }
    const scenes = planScenes([shot], [], {
      picture: { width: 1920, height: 1080 },
      ratio: 9 / 16,
    })
    expect(
      scenes.map(({ mode, aims }) => [mode, ...aims.map(({ across }) => across[0]?.at)]),
    ).toEqual([
      ['crop', expect.closeTo(0.158)],
      ['halves', 0.25, 0.75],
      ['crop', expect.closeTo(0.158)],
      ['crop', expect.closeTo(0.158)],
    ])
  })

  it('cuts from one who has left to another who appears far away, and goes over to one who is near', () => {
    const places = (left: number, from: number, to: number) =>
      Array.from({ length: (to - from) * 4 }, (_, i) => {
        return { seconds: from + i / 4, left, right: left + 0.1, top: 0.3, bottom: 0.5 }
      })
    const looks = Array.from({ length: 160 }, (_, i) => i / 4)
    const picture = { width: 1920, height: 1080 }
    const pathsOf = (people: ReturnType<typeof places>[]) =>
      planScenes([{ startSeconds: 0, endSeconds: 40, looks, people }], [], {
        picture,
        ratio: 9 / 16,
      }).map(({ mode, startSeconds, aims }) => [
        ...[mode, startSeconds],
        ...(aims[0]?.across.map(({ at }) => Math.round(10 * at)) ?? []),
      ])
    // Those in between are seen in less than a fifth of the shot, but alone.
    expect(pathsOf([places(0.05, 0, 20), places(0.85, 21, 25), places(0.05, 26, 40)])).toEqual([
      ['crop', 0, 2, 2],
      ['crop', 20.875, 8, 8],
      ['crop', 25.875, 2, 2],
    ])
    expect(pathsOf([places(0.4, 0, 20), places(0.5, 21, 40)])).toHaveLength(1)
    // Of three, the two who are seen for long are shown, although the third appears first.
    const passer = places(0.45, 11, 16)
    const two = [places(0.05, 12, 40), places(0.85, 12, 40)]
    const modes = pathsOf([places(0.85, 0, 10), passer, ...two]).map(([mode]) => mode)
    expect(modes).toEqual(['crop', 'halves'])
  })

  it('leaves no glimpse of a turn beside what was asked for', () => {
    const looks = Array.from({ length: 80 }, (_, i) => i / 4)
    const places = (left: number) =>
      looks.map((seconds) => ({ seconds, left, right: left + 0.1, top: 0.3, bottom: 0.5 }))
    const [one, other] = [places(0.05), places(0.85)]
    const turns = [
      { startSeconds: 0, endSeconds: 5, who: one },
      { startSeconds: 5, endSeconds: 10, who: other },
      { startSeconds: 10, endSeconds: 20, who: one },
    ]
    const shot = { startSeconds: 0, endSeconds: 20, looks, people: [one, other], turns }
    const shape = { picture: { width: 1920, height: 1080 }, ratio: 9 / 16 }
    const timesWith = (startTime: number, endTime: number) =>
      planScenes([shot], [{ startTime, endTime, mode: 'wide' }], shape).map((scene) => {
        const at = scene.aims[0]?.across[0]?.at ?? 0.5
        return [scene.startSeconds, scene.endSeconds, Math.round(10 * at)]
      })
    expect(timesWith(5.5, 9.4)).toEqual([
      [0, 5.5, 2],
      [5.5, 9.4, 5],
      [9.4, 20, 2],
    ])
    expect(timesWith(6, 9)).toEqual([
      [0, 5, 2],
      [5, 6, 8],
      [6, 9, 5],
      [9, 10, 8],
      [10, 20, 2],
    ])
  })
})

describe('cropPath', () => {
  const at = (seconds: number, middle: number, room: number) => {
    return { seconds, from: middle - room, to: middle + room }
  }

  it('stands still if one place does, and keeps its place or its speed for 0.8 seconds or longer', () => {
    const swaying = Array.from({ length: 40 }, (_, i) => at(i / 4, 0.5 + 0.04 * Math.sin(i), 0.05))
    const [first, ...others] = cropPath(swaying, { start: 0, end: 10 })
    expect(others.every((knot) => knot.at === first?.at)).toBe(true)
    const walking = Array.from({ length: 40 }, (_, i) =>
      at(i / 4, 0.3 + 0.4 * Math.min(1, Math.max(0, (i - 12) / 16)), 0.05),
    )
    const path = cropPath(walking, { start: 0, end: 10 })
    expect(path.length).toBeLessThan(8)
    const lengths = path.slice(1).map((knot, i) => knot.seconds - (path[i]?.seconds ?? 0))
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(0.8)
    expect(expressionOf(path)).toMatch(/^if\(lt\(t,/)
  })

  it('goes on with who moves to the ends of a shot, which begins before the first look', () => {
    const looks = [0.2, 0.4, 0.6, 0.8].map((seconds) => at(seconds, 0.2 + 0.5 * seconds, 0.01))
    const path = cropPath(looks, { start: 0, end: 1 })
    expect(path.map(({ seconds }) => seconds)).toEqual([0, 1])
    expect(path.every((knot) => Math.abs(knot.at - 0.2 - 0.5 * knot.seconds) < 0.016)).toBe(true)
  })

  it('stays with who walks fast and turns back, and never leaves the picture', () => {
    // In each second a third of the width, from one side to the other and back.
    const placeAt = (seconds: number) => 0.16 + 0.68 * Math.abs(((seconds / 2 + 1) % 2) - 1)
    const looks = Array.from({ length: 120 }, (_, i) => at(i / 4, placeAt(i / 4), 0.03))
    const path = cropPath(looks, { start: 0, end: 30 })
    const lengths = path.slice(1).map((knot, i) => knot.seconds - (path[i]?.seconds ?? 0))
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(0.8)
    expect(path.every((knot) => knot.at >= 0.1 && knot.at <= 0.9)).toBe(true)
    const shown = looks.map(({ seconds }) => {
      const next = path.findIndex((knot) => knot.seconds >= seconds)
      const [before, after] = [path[Math.max(0, next - 1)], path[next]]
      if (!before || !after) throw new Error('A path that ends before the scene')
      const share = (seconds - before.seconds) / Math.max(1e-6, after.seconds - before.seconds)
      return Math.abs(before.at + share * (after.at - before.at) - placeAt(seconds))
    })
    // A crop of 9:16 shows a face of a tenth of the width as long as its middle is this near.
    expect(shown.filter((away) => away > 0.1)).toEqual([])
  })
})
