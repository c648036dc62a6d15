import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeFile } from '../../node/fixtures.ts'
import { ffmpeg } from '../run-tool.ts'
import { samplesOf } from './samples.ts'
import { aFolder } from '../tool-context.ts'

export const rate = 48_000

const sentences = [
  'Today only platforms one and three are used.',
  'He has never been surpassed, as an example of fine typography.',
  'Seven ships sailed past the harbour.',
  'Please wash your hands after the test.',
]

/** Sentences with these pauses before, between and after them, as 48 kHz mono. */
export async function speech(pauses: readonly number[]): Promise<Float32Array<ArrayBuffer>> {
  const spoken = await Promise.all(
    sentences.slice(0, pauses.length - 1).map(async (text) => {
      const voice = ['-f', 'lavfi', '-i', `flite=text='${text}':voice=slt`, '-af', 'volume=0.4']
      return samplesOf(await makeFile('wav', voice), rate)
    }),
  )
  return joined(pauses.flatMap((pause, i) => [silence(pause), ...spoken.slice(i, i + 1)]))
}

export function silence(seconds: number): Float32Array<ArrayBuffer> {
  return new Float32Array(Math.round(seconds * rate))
}

export function joined(parts: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Adds a steady noise. */
export async function withNoise(
  sound: Float32Array,
  color: 'white' | 'pink',
  ratioDb: number,
): Promise<Float32Array<ArrayBuffer>> {
  const source = `anoisesrc=d=40:r=${rate}:c=${color}:a=0.5:seed=7`
  const noise = await samplesOf(await makeFile('wav', ['-f', 'lavfi', '-i', source]), rate)
  return mixAt(sound, noise, ratioDb)
}

/** Adds a noise that is this much quieter than the sound where somebody speaks. */
export function mixAt(
  sound: Float32Array,
  noise: Float32Array,
  ratioDb: number,
): Float32Array<ArrayBuffer> {
  const level = Math.sqrt(spokenPower(sound) / powerOf(noise) / 10 ** (ratioDb / 10))
  return Float32Array.from(sound, (value, i) => value + (noise[i % noise.length] ?? 0) * level)
}

export function powerOf(samples: Float32Array): number {
  return samples.reduce((sum, value) => sum + value * value, 0) / Math.max(1, samples.length)
}

const blockSamples = 480

/** Level of every 10 ms in dB. */
export function envelope(samples: Float32Array): number[] {
  return Array.from({ length: Math.floor(samples.length / blockSamples) }, (_, i) =>
    decibels(powerOf(samples.subarray(i * blockSamples, (i + 1) * blockSamples))),
  )
}

export function decibels(power: number): number {
  return 10 * Math.log10(power + 1e-15)
}

/** Which blocks of 10 ms somebody speaks in: at most 35 dB under the loudest. */
export function spokenBlocks(clean: Float32Array): boolean[] {
  const levels = envelope(clean)
  const loudest = levels.reduce((max, level) => Math.max(max, level), -200)
  return levels.map((level) => level > loudest - 35)
}

function spokenPower(clean: Float32Array): number {
  const isSpoken = spokenBlocks(clean)
  return powerOf(clean.filter((_, i) => isSpoken[Math.floor(i / blockSamples)]))
}

/** A small video with exactly this sound. */
export async function videoWithSound(
  samples: Float32Array<ArrayBuffer>,
  { fps = 25 } = {},
): Promise<string> {
  const folder = await aFolder()
  const raw = path.join(folder, 'sound.f32')
  await writeFile(raw, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  const seconds = samples.length / rate
  const picture = `testsrc2=size=64x64:rate=${fps}:duration=${seconds}`
  const file = path.join(folder, 'video.mp4')
  await ffmpeg([
    ...['-f', 'lavfi', '-i', picture],
    ...['-f', 'f32le', '-ar', String(rate), '-ac', '1', '-i', raw],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac', '-b:a', '192k', file],
  ])
  return file
}
