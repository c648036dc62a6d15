import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { NoiseRemover } from '../../../containers/sound/noise/noise-remover.ts'
import { hopSamples } from '../../../containers/sound/dsp/spectrum.ts'
import { makeClatter, makeMusic, makeRain } from '../../support/containers/sound/noises.ts'
import { renderVideo } from '../../support/containers/films/render-video.ts'
import { packetHashes } from '../../support/containers/run-tool.ts'
import { align, floatsIn, samplesOf } from '../../support/containers/sound/samples.ts'
import {
  decibels,
  powerOf,
  rate,
  joined,
  mixAt,
  speech,
  spokenBlocks,
  videoWithSound,
  withNoise,
} from '../../support/containers/sound/speech.ts'
import { campaign } from '../../support/node/campaign.ts'
import { temporaryDirectory } from '../../support/node/directories.ts'

/** Generated once for all tests. */
const clean = await speech([0.9, 1.2])
const seconds = clean.length / rate
const rain = makeRain(seconds)

async function reducedStereo(stereo: Float32Array, clipEnds: number[] = []): Promise<Float32Array> {
  const folder = temporaryDirectory()
  const files = { sound: path.join(folder, 'sound'), voiceGains: path.join(folder, 'gains') }
  await writeFile(files.sound, stereo)
  const remover = await NoiseRemover.open({ ...files, clipEnds })
  const { signal } = new AbortController()
  await remover.hearOn(signal, () => undefined)
  await remover.reduce(signal, () => undefined)
  return floatsIn(await readFile(files.sound))
}

function inStereo(left: Float32Array, right = left): Float32Array {
  return Float32Array.from(
    { length: left.length * 2 },
    (_, i) => (i % 2 === 0 ? left : right)[i >> 1] ?? 0,
  )
}

function channelOf(stereo: Float32Array, channel: 0 | 1): Float32Array {
  return stereo.filter((_, i) => i % 2 === channel)
}

async function reduced(mono: Float32Array, clipEnds: number[] = []): Promise<Float32Array> {
  return channelOf(await reducedStereo(inStereo(mono), clipEnds), 0)
}

/** The mean power of all that is at least 0.2 s away from any word. */
function pauseFloor(sound: Float32Array, voice = clean): number {
  const isSpoken = spokenBlocks(voice)
  const isPause = isSpoken.map(
    (_, i) => !isSpoken.slice(Math.max(0, i - 20), i + 20).includes(true),
  )
  return decibels(powerOf(sound.filter((_, i) => isPause[Math.floor(i / 480)])))
}

/** Scale-invariant signal-to-distortion ratio in dB. */
function fidelity(clean: Float32Array, sound: Float32Array): number {
  const product = clean.reduce((sum, value, i) => sum + value * (sound[i] ?? 0), 0)
  const scale = product / clean.length / powerOf(clean)
  const error = clean.map((value, i) => (sound[i] ?? 0) - scale * value)
  return decibels(scale ** 2 * powerOf(clean)) - decibels(powerOf(error))
}

async function gains(noisy: Float32Array) {
  const result = await reduced(noisy)
  return {
    floor: pauseFloor(noisy) - pauseFloor(result),
    fidelity: fidelity(clean, result) - fidelity(clean, noisy),
  }
}

describe('removeNoise', () => {
  for (const { color, ratioDb, tags } of [
    { color: 'pink', ratioDb: 12, tags: [] },
    { color: 'white', ratioDb: 5, tags: ['campaign'] },
  ] as const) {
    it(
      `lowers ${color} noise in pauses by more than 15 dB, and brings speech nearer to clean`,
      { tags: [...tags] },
      async () => {
        const gain = await gains(await withNoise(clean, color, ratioDb))
        expect(gain.floor).toBeGreaterThan(15)
        expect(gain.fidelity).toBeGreaterThan(3)
      },
    )
  }

  campaign(
    'removes less of softer noise, and leaves no softer noise louder than a loud one',
    async () => {
      const noisy = await Promise.all([20, 30].map(async (db) => withNoise(clean, 'pink', db)))
      const found = []
      for (const sound of noisy) found.push(await gains(sound))
      const floors = found.map(({ floor }) => floor)
      expect(floors).toEqual([...floors].sort((a, b) => b - a))
      expect(Math.min(...floors)).toBeGreaterThan(3)
      for (const { fidelity: better } of found) expect(better).toBeGreaterThan(1)
      const left = noisy.map((sound, i) => pauseFloor(sound) - (floors[i] ?? 0))
      expect(Math.max(...left) - Math.min(...left)).toBeLessThan(4)
    },
  )

  it('leaves clean speech as it is: in a quiet room, and without a pause', async () => {
    const room = await withNoise(clean, 'pink', 42)
    expect(fidelity(room, await reduced(room))).toBeGreaterThan(45)
    const isSpoken = spokenBlocks(clean)
    const breathless = clean.filter((_, i) => isSpoken[Math.floor(i / 480)])
    expect(fidelity(breathless, await reduced(breathless))).toBeGreaterThan(45)
  })

  campaign('removes most of a clatter, which changes all the time', async () => {
    // In one of these it finds no noise, and leaves it as it is.
    const found: number[] = []
    for (let seed = 1; seed <= 4; seed++) {
      found.push((await gains(mixAt(clean, makeClatter(seconds, seed), 8))).fidelity)
    }
    expect(found.filter((fidelity) => fidelity > 4).length).toBeGreaterThanOrEqual(3)
    expect(Math.min(...found)).toBeGreaterThan(-0.5)
  })

  it('leaves music under a voice as it is', async () => {
    const both = mixAt(clean, makeMusic(seconds), 10)
    expect(fidelity(both, await reduced(both))).toBeGreaterThan(45)
  })

  campaign('leaves music without a voice as it is', async () => {
    const music = makeMusic(seconds)
    expect(fidelity(music, await reduced(music))).toBeGreaterThan(45)
  })

  campaign('leaves a drum under a voice, which has a beat but no tones', async () => {
    // A beat shows itself in a longer clip only.
    const voice = await speech([0.6, 0.9, 0.6])
    const both = mixAt(voice, drums(voice.length / rate), 10)
    expect(fidelity(both, await reduced(both))).toBeGreaterThan(45)
  })

  campaign(
    'removes most of the rain from a voice with opposite phases, and treats both channels alike',
    async () => {
      const left = mixAt(clean, rain, 8)
      const right = left.map((value) => value * -0.25)
      const result = await reducedStereo(inStereo(left, right))
      const expected = channelOf(result, 0).map((value) => value * -0.25)
      expect(fidelity(expected, channelOf(result, 1))).toBeGreaterThan(60)
      const gain = fidelity(clean, channelOf(result, 0)) - fidelity(clean, left)
      expect(gain).toBeGreaterThan(4)
    },
  )

  campaign('leaves a clean clip as it is beside a noisy one', async () => {
    const noisy = mixAt(clean, rain, 8)
    const both = joined([clean, noisy])
    const result = await reduced(both, [clean.length, both.length])
    // One frame at the joint holds sound of both.
    const first = clean.length - 2 * hopSamples
    expect(fidelity(clean.subarray(0, first), result.subarray(0, first))).toBeGreaterThan(40)
    expect(fidelity(clean, result.subarray(clean.length))).toBeGreaterThan(
      fidelity(clean, noisy) + 4,
    )
  })

  it('cleans the sound of a video without shifting it, and copies the picture', async () => {
    const noisy = await withNoise(clean, 'pink', 10)
    const source = await videoWithSound(noisy)
    const { file, plan, described } = await renderVideo([{ file: source }], { removeNoise: true })
    const result = await samplesOf(file, rate)
    expect([plan.video, plan.audio, described.sound?.hasNoiseRemoved]).toEqual([
      'copy',
      'encode',
      true,
    ])
    expect(pauseFloor(noisy) - pauseFloor(result)).toBeGreaterThan(12)
    const at = Math.round(1.5 * rate)
    expect(Math.abs(align(clean, at, result, at, { length: rate, reach: 50 }).lag)).toBeLessThan(5)
  })

  campaign(
    'copies the sound of a clean video unchanged, and returns what was measured of it',
    async () => {
      const source = await videoWithSound(clean)
      const options = { removeNoise: true, removeSilence: false }
      const { file, plan, described, sound } = await renderVideo([{ file: source }], options)
      expect([plan.video, plan.audio, described.sound?.hasNoiseRemoved]).toEqual([
        'copy',
        'copy',
        false,
      ])
      expect(sound?.loudness).toBeLessThan(0)
      expect(await packetHashes(file, '0:a')).toEqual(await packetHashes(source, '0:a'))
    },
  )

  campaign('learns the noise of each clip of a combined video separately', async () => {
    const short = await speech([0.6, 0.6])
    const white = await withNoise(short, 'white', 10)
    const clips = [{ file: await videoWithSound(short) }, { file: await videoWithSound(white) }]
    const { file } = await renderVideo(clips, { removeNoise: true })
    const result = await samplesOf(file, rate)
    const second = result.subarray(result.length - short.length)
    expect(pauseFloor(white, short) - pauseFloor(second, short)).toBeGreaterThan(12)
  })
})

/** Drums at 120 beats a minute: a burst of noise that dies away, alternating with a lower and longer one. */
function drums(length: number): Float32Array {
  let seed = 1
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 1_073_741_823 - 1
  return Float32Array.from({ length: Math.round(length * rate) }, (_, i) => {
    const [beat, since] = [Math.floor((2 * i) / rate), (i % (rate / 2)) / rate]
    const low = Math.sin(2 * Math.PI * (60 + 80 * Math.exp(-since / 0.02)) * since)
    return beat % 2 === 0
      ? low * Math.exp(-since / 0.12) + 0.2 * random() * Math.exp(-since / 0.02)
      : random() * Math.exp(-since / 0.06)
  })
}
