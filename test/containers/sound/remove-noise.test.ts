import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mixAt } from '../../../bench/sound/mix.ts'
import { noises } from '../../../bench/sound/noises.ts'
import { NoiseListener } from '../../../containers/sound/noise-profile.ts'
import { reduceNoise } from '../../../containers/sound/reduce-noise.ts'
import { VoiceListener } from '../../../containers/sound/voice-gains.ts'
import { hopSamples } from '../../../containers/sound/spectrum.ts'
import { renderVideo } from '../support/render-video.ts'
import { align, samplesOf } from '../support/samples.ts'
import {
  decibels,
  powerOf,
  rate,
  joined,
  speech,
  spokenBlocks,
  videoWithSound,
  withNoise,
} from '../support/speech.ts'

const pauses = [1, 1.5, 1]

async function reducedStereo(stereo: Float32Array, clipEnds: number[] = []): Promise<Float32Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'spool-noise-'))
  onTestFinished(async () => rm(folder, { recursive: true }))
  const files = { sound: path.join(folder, 'sound'), voiceGains: path.join(folder, 'gains') }
  await writeFile(files.sound, stereo)
  const listener = new NoiseListener(clipEnds)
  listener.push(stereo)
  const voice = await VoiceListener.open(files.voiceGains, clipEnds)
  voice.push(stereo)
  const known = { profile: listener.finish(), treatmentAt: await voice.finish() }
  await reduceNoise(files, known, new AbortController().signal, () => undefined)
  const bytes = await readFile(files.sound)
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
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

/** Mean power of what lies at least 0.2 s from any word. */
function pauseFloor(clean: Float32Array, sound: Float32Array): number {
  const isSpoken = spokenBlocks(clean)
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

async function gains(color: 'white' | 'pink', ratioDb: number) {
  const clean = await speech(pauses)
  const noisy = await withNoise(clean, color, ratioDb)
  const result = await reduced(noisy)
  return {
    floor: pauseFloor(clean, noisy) - pauseFloor(clean, result),
    fidelity: fidelity(clean, result) - fidelity(clean, noisy),
  }
}

describe('removeNoise', () => {
  it('lowers white noise in pauses by more than 12 dB, and brings speech nearer to clean', async () => {
    for (const ratioDb of [5, 10, 15]) {
      const gain = await gains('white', ratioDb)
      expect(gain.floor, `${ratioDb} dB`).toBeGreaterThan(15)
      expect(gain.fidelity, `${ratioDb} dB`).toBeGreaterThan(5)
    }
  })

  it('does the same to pink noise', async () => {
    for (const ratioDb of [5, 10, 15]) {
      const gain = await gains('pink', ratioDb)
      expect(gain.floor, `${ratioDb} dB`).toBeGreaterThan(15)
      expect(gain.fidelity, `${ratioDb} dB`).toBeGreaterThan(3)
    }
  })

  it('leaves clean speech as it is', async () => {
    const clean = await speech(pauses)
    expect(fidelity(clean, await reduced(clean))).toBeGreaterThan(45)
  })

  it('takes most of rain, a crowd and clatter away, which never are the same for long', async () => {
    const clean = await speech(pauses)
    const seconds = clean.length / rate
    const noisy = {
      rain: mixAt(clean, await noises.rain(seconds), 8),
      crowd: mixAt(clean, await noises.crowd(seconds), 8),
      clatter: mixAt(clean, await noises.clatter(seconds), 8),
    }
    for (const [name, sound] of Object.entries(noisy)) {
      const gain = fidelity(clean, await reduced(sound)) - fidelity(clean, sound)
      expect(gain, name).toBeGreaterThan(4)
    }
  })

  it('leaves music as it is, alone and under a voice', async () => {
    const clean = joined([await speech(pauses), await speech(pauses)])
    const music = await noises.music(clean.length / rate)
    expect(fidelity(music, await reduced(music))).toBeGreaterThan(45)
    const both = mixAt(clean, music, 10)
    expect(fidelity(both, await reduced(both))).toBeGreaterThan(45)
  })

  it('keeps a voice on its side, and does the same to both', async () => {
    const clean = await speech(pauses)
    const left = mixAt(clean, await noises.rain(clean.length / rate), 8)
    const right = left.map((value) => value * 0.25)
    const result = await reducedStereo(inStereo(left, right))
    const expected = channelOf(result, 0).map((value) => value * 0.25)
    expect(fidelity(expected, channelOf(result, 1))).toBeGreaterThan(60)
  })

  it('hears a voice that is opposite in both channels', async () => {
    const clean = await speech(pauses)
    const noisy = mixAt(clean, await noises.rain(clean.length / rate), 8)
    const result = await reducedStereo(
      inStereo(
        noisy,
        noisy.map((value) => -value),
      ),
    )
    const gain = fidelity(clean, channelOf(result, 0)) - fidelity(clean, noisy)
    expect(gain).toBeGreaterThan(4)
  })

  it('lets a clean clip be clean beside one with noise', async () => {
    const clean = await speech(pauses)
    const noisy = mixAt(clean, await noises.rain(clean.length / rate), 8)
    const both = joined([clean, noisy])
    const result = await reduced(both, [clean.length, both.length])
    // One frame at the joint is of both.
    const first = clean.length - 2 * hopSamples
    expect(fidelity(clean.subarray(0, first), result.subarray(0, first))).toBeGreaterThan(40)
    expect(fidelity(clean, result.subarray(clean.length))).toBeGreaterThan(
      fidelity(clean, noisy) + 4,
    )
  })

  it('cleans the sound of a video in its place, and copies the picture', async () => {
    const clean = await speech(pauses)
    const noisy = await withNoise(clean, 'pink', 10)
    const source = await videoWithSound(noisy)
    const { file, plan, described } = await renderVideo([{ file: source }], { removeNoise: true })
    const result = await samplesOf(file, rate)
    expect([plan.video, plan.audio, described.sound?.hasNoiseRemoved]).toEqual([
      'copy',
      'encode',
      true,
    ])
    expect(pauseFloor(clean, noisy) - pauseFloor(clean, result)).toBeGreaterThan(12)
    const at = Math.round(1.5 * rate)
    expect(Math.abs(align(clean, at, result, at, { length: rate, reach: 50 }).lag)).toBeLessThan(5)
  })

  it('learns the noise of each clip of a combined video anew', async () => {
    const clean = await speech([1, 1])
    const white = await withNoise(clean, 'white', 10)
    const clips = [{ file: await videoWithSound(clean) }, { file: await videoWithSound(white) }]
    const { file } = await renderVideo(clips, { removeNoise: true })
    const result = await samplesOf(file, rate)
    const second = result.subarray(result.length - clean.length)
    expect(pauseFloor(clean, white) - pauseFloor(clean, second)).toBeGreaterThan(12)
  })
})
