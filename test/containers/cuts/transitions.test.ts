import { describe, expect, it } from 'vitest'
import { faultOfFilm } from '../../../containers/cuts/proof/prove-film.ts'
import type { Transition } from '../../../worker/contract/options/picture/transition.ts'
import { x264 } from '../../support/containers/films/counted-video.ts'
import { cutFilm, type AskedTransitions } from '../../support/containers/films/cut-film.ts'
import { ffmpegBytes, frameTimes, packetHashes } from '../../support/containers/run-tool.ts'
import { makeFile, makeVideo } from '../../support/node/fixtures.ts'
import { campaign } from '../../support/node/campaign.ts'

const size = { width: 160, height: 96 }
const frameBytes = size.width * size.height

type Changes = { coding?: readonly string[]; filters?: readonly string[]; extension?: string }

/** Two clips of one camera: a moving picture, and the same in other colours. */
const camera = async (changes: Changes = {}) => {
  const clip = async (filters: readonly string[]) =>
    makeVideo({
      ...{ seconds: 4, size: `${size.width}x${size.height}`, tone: null },
      coding: x264('keyint=20:bframes=2:b-adapt=0'),
      ...changes,
      filters: [...(changes.filters ?? []), ...filters],
    })
  return [await clip([]), await clip(['-vf', 'negate'])] as const
}

/** The luma of every picture, as it is stored. */
async function lumas(file: string): Promise<Buffer[]> {
  const bytes = await ffmpegBytes([
    ...['-noautorotate', '-i', file, '-map', '0:v', '-fps_mode', 'passthrough'],
    ...['-vf', 'extractplanes=y', '-f', 'rawvideo', '-'],
  ])
  return Array.from({ length: bytes.length / frameBytes }, (_, i) =>
    bytes.subarray(i * frameBytes, (i + 1) * frameBytes),
  )
}

function decibels(a: Buffer, b: Uint8Array): number {
  const error = a.reduce((sum, value, at) => sum + (value - (b[at] ?? 0)) ** 2, 0) / a.length
  return 10 * Math.log10(255 ** 2 / error)
}

const mix = (a: Buffer, b: Buffer, share: number) =>
  Buffer.from(a.map((value, at) => value * (1 - share) + (b[at] ?? 0) * share))

/** Joins two clips as they are stored, and counts the packets that are their own. */
async function join(sources: readonly [string, string], asked: AskedTransitions) {
  const made = await cutFilm(sources, [], asked)
  const { tools, file, result, cutting, film } = made
  expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
  const own = new Set(
    (await Promise.all(sources.map(async (one) => packetHashes(one, '0:v')))).flat(),
  )
  const packets = await packetHashes(file, '0:v')
  return { ...made, packets, copied: packets.filter((hash) => own.has(hash)).length }
}

const crossfade: Transition = { type: 'crossfade', duration: 0.4 }

describe('a transition between clips that are joined as they are stored', () => {
  it('shows the first picture of a clip from its start, where its sound begins before it', async () => {
    const [one, other] = await camera()
    const late = await makeFile('mp4', [
      ...['-itsoffset', '0.2', '-i', other, '-f', 'lavfi', '-i', 'sine=d=4.2'],
      ...['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-c:a', 'aac'],
    ])
    const { file, packets, copied } = await join([one, late], {})
    expect([packets.length, copied]).toEqual([200, 200])
    const steps = (await frameTimes(file)).map((time) => Math.round(time * 25))
    expect(steps.slice(98, 104)).toEqual([98, 99, 100, 106, 107, 108])
    await join([one, late], { transitions: [crossfade] })
  })

  it('mixes ten pictures of each, encodes up to the next key picture, and copies all others', async () => {
    const sources = await camera()
    const { file, packets, copied } = await join(sources, { transitions: [crossfade] })
    expect(packets).toHaveLength(190)
    // Ten mixtures and ten pictures to the next key, and those that refer to what follows.
    expect(copied).toBeGreaterThanOrEqual(190 - 10 - 10 - 2)
    expect((await frameTimes(file)).map((time) => Math.round(time * 25))).toEqual([
      ...packets.keys(),
    ])
    const [film, before, behind] = await Promise.all([file, ...sources].map(lumas))
    film?.forEach((picture, i) => {
      const [old = picture, next = picture] = [before?.[i], behind?.[i - 90]]
      const wanted = i < 90 ? old : i < 100 ? mix(old, next, (i - 90) / 10) : next
      expect(decibels(picture, wanted), `picture ${i}`).toBeGreaterThan(40)
    })
  })

  campaign(
    'shows at each step what stands there, if pictures of a phone come at uneven times',
    async () => {
      // Every seventh picture is missing.
      const uneven = await camera({
        coding: x264('keyint=20:bframes=2:b-adapt=0', '-vf', "select='not(eq(mod(n,7),3))'"),
      })
      const stands = (step: number) => step - (step % 7 === 3 ? 1 : 0)
      const placeOf = (step: number) => stands(step) - Math.floor((stands(step) + 3) / 7)
      const { file } = await join(uneven, { transitions: [crossfade] })
      const times = (await frameTimes(file)).map((time) => Math.round(time * 25))
      const [film, before, behind] = await Promise.all([file, ...uneven].map(lumas))
      for (let i = 0; i < 10; i++) {
        const picture = film?.[times.indexOf(90 + i)] ?? Buffer.alloc(1)
        const [old, next] = [before?.[placeOf(90 + i)] ?? picture, behind?.[placeOf(i)] ?? picture]
        expect(decibels(picture, mix(old, next, i / 10)), `step ${i}`).toBeGreaterThan(40)
      }
    },
  )

  campaign('is also made in HEVC with ten bits, through a colour', async () => {
    const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le']
    const params = ['-x265-params', 'keyint=20:bframes=2:log-level=error', '-tag:v', 'hvc1']
    const sources = await camera({ coding: [...hevc, ...params] })
    const fade: Transition = { type: 'fade', duration: 0.4, color: '#ffffff' }
    const { file, copied } = await join(sources, { transitions: [fade] })
    expect(copied).toBeGreaterThan(160)
    const shown = await brightnessOf(file)
    expect(shown[95]?.left).toBeGreaterThan(250)
  })

  it('goes to the left as a viewer sees it, although the camera was held upright', async () => {
    const turned = await camera({ filters: ['-metadata:s:v', 'rotate=90'] })
    const wipe: Transition = { type: 'wipe-left', duration: 0.4 }
    const { file } = await join(turned, { transitions: [wipe] })
    const shown = async (one: string) => brightnessOf(one)
    const [film, before, behind] = await Promise.all([file, ...turned].map(shown))
    // Half of the way: the left half of the screen is still the first clip.
    const [picture, old, next] = [film?.[95], before?.[95], behind?.[5]]
    expect(picture?.left).toBeCloseTo(old?.left ?? 0, -1)
    expect(picture?.right).toBeCloseTo(next?.right ?? 0, -1)
    expect(Math.abs((old?.left ?? 0) - (next?.left ?? 0))).toBeGreaterThan(20)
  })
})

/** How bright the left and the right third of each picture is on a screen. */
async function brightnessOf(file: string): Promise<{ left: number; right: number }[]> {
  const bytes = await ffmpegBytes([
    ...['-i', file, '-map', '0:v', '-fps_mode', 'passthrough'],
    ...['-vf', 'format=gray,scale=3:1:flags=area', '-f', 'rawvideo', '-'],
  ])
  return Array.from({ length: bytes.length / 3 }, (_, i) => ({
    left: bytes[3 * i] ?? 0,
    right: bytes[3 * i + 2] ?? 0,
  }))
}
