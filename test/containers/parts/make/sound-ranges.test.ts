import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { inputFile, pipe, streamOf } from '../../../../containers/graph/filter-graph.ts'
import { encodeSound } from '../../../../containers/parts/make/part-sound.ts'
import {
  divideSound,
  encodeRanges,
  writeSound,
  type DividedSound,
} from '../../../../containers/parts/make/sound-ranges.ts'
import { listed, packetHashes } from '../../../support/containers/run-tool.ts'
import { makeMusic } from '../../../support/containers/sound/noises.ts'
import { samplesOf } from '../../../support/containers/sound/samples.ts'
import { decibels, powerOf, rate } from '../../../support/containers/sound/speech.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'

const aac = ['-c:a', 'aac', '-b:a', '64k', '-ar', '48000', '-ac', '1']
const opus = aac.with(1, 'libopus')

const bars = makeMusic(3)

/** The same bars again and again, which take less time than new ones. */
function played(seconds: number): Float32Array {
  return Float32Array.from({ length: seconds * rate }, (_, i) => bars[i % bars.length] ?? 0)
}

async function aSound(samples: Float32Array) {
  const tools = await aToolContext()
  await writeFile(path.join(tools.folder, 'sound.f32'), samples)
  const file = inputFile('sound.f32', 'f32le', ['-ar', String(rate), '-ac', '1'])
  return { tools, stream: streamOf(file, 'audio', 0) }
}

/** The packets of a sound, divided before these. */
function dividedAt(
  track: DividedSound['track'],
  format: DividedSound['format'],
  seams: readonly number[],
): DividedSound {
  const bounds = [0, ...seams, Infinity]
  const ranges = seams.concat(Infinity).map((to, i) => ({ from: bounds[i] ?? 0, to }))
  const encoder =
    format === 'webm'
      ? { packetSamples: 960, delaySamples: 312 }
      : { packetSamples: 1_024, delaySamples: 1_024 }
  return { track, format, sampleRate: rate, ...encoder, ranges }
}

async function packetTimes(file: string): Promise<number[]> {
  return (await listed(file, 'packet=pts_time', ['-select_streams', 'a:0'])).map(parseFloat)
}

/** How far what is wrong with a second of a sound is below that sound. */
function likeness(source: Float32Array, found: Float32Array, from: number): number {
  const right = source.subarray(from, from + rate)
  const wrong = right.map((value, i) => value - (found[from + i] ?? 0))
  return decibels(powerOf(right)) - decibels(powerOf(wrong))
}

describe('encodeRanges', () => {
  for (const [format, coding] of [
    ['mp4', aac],
    ['webm', opus],
  ] as const) {
    // Each range warms up with all of the sound before it, so that its packets are those of the whole sound.
    it(`joins the packets of the sound that is made whole, in ${format}`, async () => {
      const { tools, stream } = await aSound(played(5.03))
      const track = { stream, coding }
      await encodeRanges(tools, dividedAt(track, format, [60, 150]), `ranges.${format}`)
      await writeSound(tools, track, { format, name: `whole.${format}` })
      const fileOf = (name: string): string => path.join(tools.folder, `${name}.${format}`)
      const [made, whole] = [fileOf('ranges'), fileOf('whole')]
      expect(await packetHashes(made, '0:a')).toEqual(await packetHashes(whole, '0:a'))
      const [times, wanted] = [await packetTimes(made), await packetTimes(whole)]
      expect(Math.max(...times.map((at, i) => Math.abs(at - (wanted[i] ?? 0))))).toBeLessThan(
        0.0011,
      )
      const [ours, theirs] = [await samplesOf(made, rate), await samplesOf(whole, rate)]
      expect(ours.length).toBe(theirs.length)
    })
  }

  it('codes the sound behind a seam as well as the whole sound', async () => {
    const source = played(24)
    const { tools, stream } = await aSound(source)
    const track = { stream, coding: aac }
    const seam = 1_000
    await encodeRanges(tools, dividedAt(track, 'mp4', [seam]), 'ranges.mp4')
    await writeSound(tools, track, { format: 'mp4', name: 'whole.mp4' })
    const [ours, theirs] = [
      likeness(source, await samplesOf(`${tools.folder}/ranges.mp4`, rate), (seam - 2) * 1_024),
      likeness(source, await samplesOf(`${tools.folder}/whole.mp4`, rate), (seam - 2) * 1_024),
    ]
    expect(ours).toBeGreaterThan(theirs - 0.5)
  })

  it('refuses a sound with a gap, which it would close', async () => {
    const { tools, stream } = await aSound(played(4))
    const late = pipe(stream, 'asetpts', { expr: 'PTS+gte(T,1.5)*0.2/TB' })
    const divided = dividedAt({ stream: late, coding: aac }, 'mp4', [50])
    await expect(encodeRanges(tools, divided, 'ranges.mp4')).rejects.toThrow(
      'the sound has a gap at',
    )
  })
})

it('encodeSound encodes the sound whole if it ends before its last range begins', async () => {
  const { tools, stream } = await aSound(played(3))
  const track = { stream, coding: aac }
  const faults: unknown[] = []
  const plan = { tracks: [track], audio: 'encode', format: 'mp4', durationSeconds: 400 } as const
  const sound = await encodeSound(tools, plan, {
    ...{ divided: divideSound(plan, 2), onFault: (fault) => faults.push(fault) },
  })
  expect(faults).toMatchObject([
    { message: 'A range of the sound begins at another time, or has none' },
  ])
  expect(sound?.endSeconds).toBeCloseTo(3, 2)
})

describe('divideSound', () => {
  const stream = streamOf(inputFile('sound.f32', 'f32le'), 'audio', 0)
  const dividing = (coding: readonly string[], durationSeconds: number, cores: number) =>
    divideSound(
      { tracks: [{ stream, coding }], audio: 'encode', format: 'mp4', durationSeconds },
      cores,
    )?.ranges

  it('gives each core a range of one and a half minutes or more', () => {
    const ranges = [
      { from: 0, to: 4_688 },
      { from: 4_688, to: 9_375 },
    ]
    expect(dividing(aac, 200, 2)).toEqual(ranges)
    expect(dividing(aac, 200, 8)).toEqual(ranges)
    expect(dividing(aac, 3_600, 8)).toHaveLength(4)
  })

  it('leaves whole what is short, what one core encodes, and MP3', () => {
    expect(dividing(aac, 179, 2)).toBeUndefined()
    expect(dividing(aac, 3_600, 1)).toBeUndefined()
    expect(dividing(aac.with(1, 'libmp3lame'), 3_600, 2)).toBeUndefined()
  })
})
