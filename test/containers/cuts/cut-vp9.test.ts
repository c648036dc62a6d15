import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { countSeams } from '../../../containers/cuts/plan/cutting.ts'
import { faultOfFilm } from '../../../containers/cuts/proof/prove-film.ts'
import { campaign, campaignAfter } from '../../support/node/campaign.ts'
import {
  countedVideo,
  keptOf,
  shownNumbers,
  someCuts,
  twoPassVideo,
} from '../../support/containers/films/counted-video.ts'
import { cutFilm } from '../../support/containers/films/cut-film.ts'
import { revealHidden } from '../../support/containers/films/reveal-hidden.ts'
import { frameTimes, packetHashes } from '../../support/containers/run-tool.ts'

const vp9 = (...more: string[]) => [
  ...['-c:v', 'libvpx-vp9', '-crf', '20', '-b:v', '0', '-g', '20', '-cpu-used', '5'],
  ...['-pix_fmt', 'yuv420p', '-fps_mode', 'vfr', ...more],
]

type Changes = Partial<Parameters<typeof countedVideo>[0]>

const counted = async (coding: string[], changes: Changes = {}) =>
  countedVideo({ seconds: 4, fps: 25, sound: null, coding, extension: 'webm', ...changes })

const keptNumbers = keptOf(100, someCuts)

const kinds: [string, string[]][] = [
  ['packets of one picture', vp9('-auto-alt-ref', '0', '-lag-in-frames', '0')],
  ['ten bits', vp9('-pix_fmt', 'yuv420p10le')],
  ['twice the colours', vp9('-pix_fmt', 'yuv422p')],
]

describe('a WebM file of VP9 that is cut as it is stored', () => {
  for (const [i, [name, coding]] of kinds.entries()) {
    it(`shows what was kept and nothing else: ${name}`, { tags: campaignAfter(1, i) }, async () => {
      const source = await counted(coding)
      const { tools, file, result, cutting, film } = await cutFilm(source, someCuts)
      expect(countSeams(cutting.pieces)).toBe(2)
      expect(await shownNumbers(file)).toEqual(keptNumbers)
      const times = await frameTimes(file)
      times.forEach((time, place) => expect(Math.abs(time - place / 25)).toBeLessThan(0.0011))
      expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
      const hashes = new Set(await packetHashes(source, '0:v'))
      const copied = (await packetHashes(file, '0:v')).filter((hash) => hashes.has(hash))
      expect(copied.length).toBeGreaterThanOrEqual(50)
    })
  }

  const hidden: [string, string[]][] = [
    ['alt-ref frames', ['-auto-alt-ref', '1', '-lag-in-frames', '25']],
    ['layers of alt-ref frames', ['-auto-alt-ref', '6', '-lag-in-frames', '25']],
    ['alt-ref frames of ten bits', ['-auto-alt-ref', '1', '-pix_fmt', 'yuv420p10le']],
  ]
  for (const [i, [name, more]] of hidden.entries()) {
    it(
      `has no hidden frame of a removed picture: ${name}`,
      { tags: campaignAfter(1, i) },
      async () => {
        const source = await twoPassVideo({ seconds: 6, fps: 25 }, [
          ...['-b:v', '200k', '-g', '40', '-cpu-used', '5', '-pix_fmt', 'yuv420p', ...more],
        ])
        for (const from of [57, 70]) {
          const gone = [{ from, to: 84 }]
          const { tools, file, result, cutting, film } = await cutFilm(source, gone)
          expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
          const kept = Array.from({ length: 150 }, (_, n) => n).filter((n) => n < from || n >= 84)
          expect(await shownNumbers(file)).toEqual(kept)
          const revealed = path.join(tools.folder, 'revealed.ivf')
          expect(await revealHidden(file, revealed)).toBeGreaterThan(2)
          const removed = (await shownNumbers(revealed)).filter((n) => !kept.includes(n))
          expect(removed).toEqual([])
        }
      },
    )
  }

  it('is refused if it keeps a hidden frame that it does not show', async () => {
    const source = await twoPassVideo({ seconds: 6, fps: 25 }, [
      ...['-b:v', '200k', '-g', '40', '-cpu-used', '5', '-pix_fmt', 'yuv420p'],
    ])
    const { tools, result, cutting, film } = await cutFilm(source, [])
    const [whole] = cutting.pieces
    if (whole?.kind !== 'run') throw new Error('It was not copied')
    const at = 47
    const halves = [
      { ...whole, to: at, places: { from: 0, to: at } },
      { ...whole, from: at, places: { from: at, to: 150 } },
    ]
    const broken = { ...cutting, pieces: halves }
    expect(await faultOfFilm(tools, result, broken, film.samples)).toBe(
      'it has a hidden frame that is not shown',
    )
  })

  it('is refused if the bytes of a packet differ', async () => {
    const source = await counted(vp9())
    const { tools, result, cutting, film } = await cutFilm(source, [{ from: 18, to: 33 }])
    const sums = film.samples.sums?.slice()
    sums?.set([1], 5)
    const other = { ...film.samples, sums }
    expect(await faultOfFilm(tools, result, cutting, other)).toBe(
      'a copied picture is not that of the source',
    )
  })

  campaign('is joined with others', async () => {
    const sources = [await counted(vp9()), await counted(vp9(), { firstNumber: 100 })] as const
    const { tools, file, result, cutting, film } = await cutFilm(sources, someCuts)
    expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
    expect(await shownNumbers(file)).toEqual([
      ...keptNumbers,
      ...Array.from({ length: 100 }, (_, i) => 100 + i),
    ])
  })
})
