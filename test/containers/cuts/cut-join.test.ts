import { describe, expect, it } from 'vitest'
import { countSeams } from '../../../containers/cuts/plan/cutting.ts'
import { faultOfFilm } from '../../../containers/cuts/proof/prove-film.ts'
import {
  countedVideo,
  keptOf,
  shownNumbers,
  x264,
} from '../../support/containers/films/counted-video.ts'
import { cutFilm, findCutting } from '../../support/containers/films/cut-film.ts'
import { frameTimes, packetHashes } from '../../support/containers/run-tool.ts'
import { campaign } from '../../support/node/campaign.ts'

type Changes = Partial<Parameters<typeof countedVideo>[0]>

/** Two seconds of pictures that count on from a number. */
const clip = async (firstNumber: number, changes: Changes = {}) =>
  countedVideo({
    ...{ seconds: 2, fps: 25, sound: null, firstNumber },
    coding: x264('keyint=20:bframes=2:b-adapt=0'),
    ...changes,
  })

describe('clips that are joined and cut as they are stored', () => {
  it('show what was kept of each, at its time', async () => {
    const sources = [await clip(0), await clip(100), await clip(200)] as const
    // Within the first, across the joint to the second, and in the middle of the third.
    const removed = [
      { from: 7, to: 12 },
      { from: 45, to: 57 },
      { from: 110, to: 127 },
    ]
    const { tools, file, result, cutting, film } = await cutFilm(sources, removed)
    const kept = keptOf(150, removed)
    expect(await shownNumbers(file)).toEqual(kept.map((i) => Math.floor(i / 50) * 100 + (i % 50)))
    const times = await frameTimes(file)
    expect(times.map((time) => Math.round(time * 2500) / 100)).toEqual([...kept.keys()])
    expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
    const hashes = new Set(
      (await Promise.all(sources.map(async (source) => packetHashes(source, '0:v')))).flat(),
    )
    const copied = (await packetHashes(file, '0:v')).filter((hash) => hashes.has(hash))
    expect(copied).toHaveLength(
      cutting.pieces.reduce(
        (sum, { kind, places }) => sum + (kind === 'run' ? places.to - places.from : 0),
        0,
      ),
    )
  })

  it('need no seam where nothing is cut at the joint', async () => {
    const { cutting, file } = await cutFilm([await clip(0), await clip(100)], [{ from: 0, to: 20 }])
    expect(countSeams(cutting.pieces)).toBe(0)
    expect(cutting.pieces.map(({ kind }) => kind)).toEqual(['run', 'run'])
    expect((await shownNumbers(file)).slice(28, 32)).toEqual([48, 49, 100, 101])
  })

  campaign('keep their own rates, if their parameter sets do not tell them', async () => {
    const untold = x264('keyint=20:bframes=2:b-adapt=0', '-bsf:v', 'h264_metadata=tick_rate=50')
    const sources = [
      await clip(0, { coding: untold }),
      await clip(100, { coding: untold, fps: 30 }),
    ] as const
    const removed = [{ from: 18, to: 33 }]
    const { tools, file, result, cutting, film } = await cutFilm(sources, removed)
    expect(cutting.source.timescale).toBe(76_800)
    expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
    const first = Array.from({ length: 50 }, (_, i) => i).filter((i) => i < 18 || i >= 33)
    const second = Array.from({ length: 60 }, (_, i) => i)
    expect(await shownNumbers(file)).toEqual([...first, ...second.map((i) => 100 + i)])
    const expected = [...first.map((_, i) => i / 25), ...second.map((i) => 1.4 + i / 30)]
    expect(await frameTimes(file)).toEqual(
      expected.map((time) => expect.closeTo(time, 3) as number),
    )
  })

  campaign('keep their own times, in ticks of their own', async () => {
    const inTicks = (ticks: string) =>
      x264('keyint=20:bframes=2:b-adapt=0', '-video_track_timescale', ticks)
    const sources = [
      await clip(0, { isVariable: true, coding: inTicks('12800') }),
      await clip(100, { isVariable: true, coding: inTicks('90000') }),
    ] as const
    const { tools, file, result, cutting, film } = await cutFilm(sources, [{ from: 18, to: 33 }])
    expect(cutting.source.timescale).toBe(90_000)
    expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
    const expected = (await Promise.all(sources.map(async (source) => frameTimes(source))))
      .flatMap((times, i) => times.map((time) => time + 2 * i))
      .filter((time) => time < 0.71 || time > 1.31)
      .map((time) => (time < 0.71 ? time : time - 0.6))
    expect(await frameTimes(file)).toEqual(
      expected.map((time) => expect.closeTo(time, 3) as number),
    )
  })
})

const unlike: [string, Changes, string][] = [
  ['another profile', { coding: x264('keyint=20', '-profile:v', 'baseline') }, 'its profile'],
  ['other parameter sets', { coding: x264('keyint=20:bframes=2:ref=5') }, 'its parameter sets'],
  [
    'other pixels',
    { coding: x264('keyint=20', '-pix_fmt', 'yuv422p') },
    'its profile|the form of its pixels',
  ],
]

describe('a join that cannot be copied', () => {
  for (const [name, changes, why] of unlike) {
    campaign(`names the clip and how it differs: ${name}`, async () => {
      const sources = [await clip(0), await clip(100, changes)] as const
      const { choice } = await findCutting(sources, [{ from: 18, to: 33 }])
      expect(choice).toEqual({
        why: expect.stringMatching(new RegExp(`^files\\[1\\] differs in (${why})$`)) as string,
      })
    })
  }
})
