import { open } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { countSeams } from '../../../containers/cuts/plan/cutting.ts'
import { faultOfFilm } from '../../../containers/cuts/proof/prove-film.ts'
import { campaign, campaignAfter } from '../../support/node/campaign.ts'
import {
  countedVideo,
  keptOf,
  shownNumbers,
  someCuts,
  x264,
} from '../../support/containers/films/counted-video.ts'
import { cutFilm, findCutting } from '../../support/containers/films/cut-film.ts'
import { frameTimes } from '../../support/containers/run-tool.ts'

const x265 = (params: string, ...more: string[]) => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1', ...more],
  ...['-fps_mode', 'vfr', '-x265-params', `log-level=error:${params}`],
]

async function counted(
  coding: string[],
  changes: { extension?: string; isVariable?: boolean } = {},
) {
  return countedVideo({ seconds: 4, fps: 25, sound: null, coding, ...changes })
}

const keptNumbers = keptOf(100, someCuts)

const kinds: [string, string[], { extension?: string; isVariable?: boolean }?][] = [
  ['reordered pictures', x264('keyint=20:bframes=3:b-adapt=0:b-pyramid=normal:scenecut=0')],
  ['many reordered pictures', x264('keyint=12:bframes=8:b-adapt=0:ref=6:b-pyramid=normal')],
  ['open groups', x264('keyint=20:open-gop=1:bframes=2:b-adapt=0:scenecut=0')],
  ['pictures in order', x264('keyint=20', '-profile:v', 'baseline')],
  ['ten bits', x264('keyint=20:bframes=2', '-pix_fmt', 'yuv420p10le')],
  ['twice the colours', x264('keyint=20:bframes=2', '-pix_fmt', 'yuv422p')],
  ['key pictures alone', x264('keyint=1')],
  ['HEVC in open groups', x265('keyint=20:bframes=3:open-gop=1:scenecut=0')],
  ['HEVC of ten bits', x265('keyint=20', '-pix_fmt', 'yuv420p10le', '-tag:v', 'hev1')],
  ['another container', x264('keyint=20:bframes=3'), { extension: 'mov' }],
]

describe('a film that is cut as it is stored', () => {
  it('copies an open group behind a short part, with a seam over the parts before it', async () => {
    const coding = x264(
      'keyint=250:scenecut=0:open-gop=1:bframes=2:b-pyramid=none:ref=3',
      ...['-force_key_frames', 'expr:gte(t,n_forced*2.6)'],
    )
    const source = await countedVideo({ seconds: 12, fps: 25, sound: null, coding })
    const gone = [
      { from: 100, to: 110 },
      { from: 117, to: 129 },
    ]
    const { tools, file, result, cutting, film } = await cutFilm(source, gone)
    expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
    const kept = Array.from({ length: 300 }, (_, i) => i).filter((i) =>
      gone.every(({ from, to }) => i < from || i >= to),
    )
    expect(await shownNumbers(file)).toEqual(kept)
    const runs = cutting.pieces.filter(({ kind }) => kind === 'run')
    expect(runs.map(({ places }) => places.from)).toEqual([0, 130])
  })

  for (const [i, [name, coding, changes]] of kinds.entries()) {
    it(`shows what was kept and nothing else: ${name}`, { tags: campaignAfter(1, i) }, async () => {
      const source = await counted(coding, changes)
      const { tools, file, result, cutting, film } = await cutFilm(source, someCuts)
      expect(await shownNumbers(file)).toEqual(keptNumbers)
      const times = await frameTimes(file)
      expect(times.map((time) => Math.round(time * 2500) / 100)).toEqual([...keptNumbers.keys()])
      expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
    })
  }

  it('enters an open group, whose first pictures others refer to', async () => {
    const params = 'keyint=20:open-gop=1:bframes=3:b-adapt=0:b-pyramid=normal:ref=3:scenecut=0'
    const source = await counted(x264(params))
    const { tools, file, result, cutting, film } = await cutFilm(source, [{ from: 24, to: 35 }])
    const run = cutting.pieces.findLast((piece) => piece.kind === 'run')
    expect(run?.leading).toBeGreaterThan(1)
    expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
    const numbers = Array.from({ length: 100 }, (_, i) => i)
    expect(await shownNumbers(file)).toEqual(numbers.filter((i) => i < 24 || i >= 35))
    // Players are sent only to pictures at which all of them can begin.
    const { entries, keys } = film.samples
    expect(keys.reduce((sum, one) => sum + one)).toBeLessThan(
      entries.reduce((sum, one) => sum + one),
    )
  })

  campaign('keeps the times of a variable rate', async () => {
    const source = await counted(x264('keyint=20:bframes=2'), { isVariable: true })
    const { file, tools, result, cutting, film } = await cutFilm(source, [{ from: 18, to: 33 }])
    expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
    const expected = (await frameTimes(source))
      .filter((time) => time < 0.71 || time > 1.31)
      .map((time) => (time < 0.71 ? time : time - 0.6))
    expect(await frameTimes(file)).toEqual(
      expected.map((time) => expect.closeTo(time, 3) as number),
    )
  })

  campaign('lasts until the cut, also if the picture shown last is not stored last', async () => {
    const source = await counted(x264('keyint=20:bframes=2:b-adapt=0'), { isVariable: true })
    // The picture 44 is stored before those that are shown before it, and number 45 is not there.
    const { tools, result, cutting, film } = await cutFilm(source, [{ from: 46, to: 100 }])
    expect(cutting.pieces.map(({ kind }) => kind)).toEqual(['run'])
    expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
  })

  it('is found out if a copied picture is another, or if one is missing', async () => {
    const source = await counted(x264('keyint=20:bframes=0'))
    const { tools, file, result, cutting, film } = await cutFilm(source, [{ from: 20, to: 33 }])
    expect(countSeams(cutting.pieces)).toBe(1)
    const fewer = { ...film.samples, sizes: film.samples.sizes.subarray(1) }
    expect(await faultOfFilm(tools, result, cutting, fewer)).toBe('it has 87 pictures, not 86')
    const handle = await open(file, 'r+')
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(size), 0, size, 0)
    const media = buffer.indexOf('mdat') + 200
    await handle.write(Buffer.from([(buffer[media] ?? 0) ^ 255]), 0, 1, media)
    await handle.close()
    expect(await faultOfFilm(tools, result, cutting, film.samples)).toBe(
      'a copied picture is not that of the source',
    )
  })
})

const unfit: [string, string[], RegExp][] = [
  [
    'colours that seams cannot have',
    x264('keyint=20:bframes=0', '-pix_fmt', 'yuv444p'),
    /^its H.264 has the profile High 4:4:4 Predictive$/,
  ],
  [
    'pictures that are renewed piece by piece',
    x264('keyint=25:intra-refresh=1:bframes=0'),
    /^\d+ of 85 pictures lie at the seams$/,
  ],
]

describe('measureCutting', () => {
  for (const [name, coding, why] of unfit) {
    campaign(`leaves ${name} to an encode`, async () => {
      const { choice } = await findCutting(await counted(coding), [{ from: 18, to: 33 }])
      expect(choice).toEqual({ why: expect.stringMatching(why) as string })
    })
  }
})
