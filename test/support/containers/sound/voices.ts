import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { floatsIn } from './samples.ts'

export const rate = 16_000

/** The voices that come with ffmpeg. */
export const voices = ['slt', 'rms', 'awb'] as const
export type Voice = (typeof voices)[number]

export async function speak(voice: Voice, text: string): Promise<Float32Array> {
  const spoken = text.replaceAll("'", '’')
  return trimmed(await readSound(['-f', 'lavfi', '-i', `flite=text='${spoken}':voice=${voice}`]))
}

export async function readSound(
  input: readonly string[],
  filter = 'anull',
  samples = new Float32Array(),
): Promise<Float32Array> {
  const output = ['-af', filter, '-ac', '1', '-ar', String(rate), '-f', 'f32le', 'pipe:1']
  const args = ['-v', 'error', ...input, ...output]
  const child = spawn('ffmpeg', args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  child.stdin.end(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  const bytes = await buffer(child.stdout)
  const code = await ended
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${args.join(' ')}`)
  return floatsIn(bytes)
}

const given = ['-f', 'f32le', '-ar', String(rate), '-ac', '1', '-i', 'pipe:0']

export async function filtered(samples: Float32Array, filter: string): Promise<Float32Array> {
  return readSound(given, filter, Float32Array.from(samples))
}

/** Removes the silence at both ends, so that the beginning of the speech is known. */
export function trimmed(samples: Float32Array): Float32Array {
  const floor = 0.02 * samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const first = samples.findIndex((value) => Math.abs(value) > floor)
  const last = samples.findLastIndex((value) => Math.abs(value) > floor)
  return samples.slice(first, last + 1)
}
