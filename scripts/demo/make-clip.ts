import path from 'node:path'
import { root } from '../machine/checkout.ts'
import { runProgram } from './run-program.ts'

const speech = path.join(root, 'docs/examples/speech.mp4')

/** Mains hum with its overtones, and a soft hiss: what a cheap microphone hears in a kitchen. */
const hum = 'aevalsrc=0.012*sin(2*PI*50*t)+0.006*sin(2*PI*100*t)+0.003*sin(2*PI*150*t):s=48000[hum]'
const hiss = 'anoisesrc=colour=pink:amplitude=0.012:sample_rate=48000[hiss]'

/** The speech of the guides' examples, made quiet and put over hum. Its picture stays as it is. */
export async function makeClip(file: string, signal: AbortSignal): Promise<void> {
  const said = '[0:a]aresample=48000,volume=-7dB[said]'
  const sound = `${said};${hum};${hiss};[said][hum][hiss]amix=inputs=3:duration=first:normalize=0[sound]`
  await runProgram(
    'ffmpeg',
    [
      ...['-v', 'error', '-y', '-i', speech, '-filter_complex', sound],
      ...['-map', '0:v', '-map', '[sound]', '-c:v', 'copy', '-c:a', 'aac', '-b:a', '160k'],
      ...['-ac', '2', '-movflags', '+faststart', file],
    ],
    signal,
  )
}
