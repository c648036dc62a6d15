import path from 'node:path'
import { root } from '../machine/checkout.ts'
import { runProgram } from './run-program.ts'

/** What is said, and how long nobody speaks after it. */
const lines = [
  { text: 'Good morning, and welcome.', pause: 1.8 },
  { text: 'Today we plan a small garden together.', pause: 2.4 },
  { text: 'First we choose a place with light and water.', pause: 1.9 },
  { text: 'Then we decide what we want to grow.', pause: 2.2 },
  { text: 'Apples, beans, and far too many tomatoes.', pause: 1.4 },
] as const

/** Mains hum with its overtones, and a soft hiss: what a cheap microphone hears in a kitchen. */
const hum = 'aevalsrc=0.012*sin(2*PI*50*t)+0.006*sin(2*PI*100*t)+0.003*sin(2*PI*150*t):s=48000[hum]'
const hiss = 'anoisesrc=colour=pink:amplitude=0.012:sample_rate=48000[hiss]'

/** A quiet talk with pauses over hum, and pictures that move with its sound. */
export async function makeClip(file: string, signal: AbortSignal): Promise<void> {
  const { inputs, graph } = (await hasVoices(signal)) ? synthesised() : recorded()
  const sound = `${graph};${hum};${hiss};[said]volume=-7dB[quiet];[quiet][hum][hiss]amix=inputs=3:duration=first:normalize=0,asplit[sound][shown]`
  const scene =
    'gradients=size=640x360:rate=25:c0=0x1f3a5f:c1=0xb8421f:c2=0xe6b450:nb_colors=3:speed=0.02:seed=7[sky]'
  const wave =
    '[shown]volume=12dB,showwaves=size=560x140:rate=25:mode=cline:colors=0xfbfaf8:scale=sqrt:draw=full[wave]'
  const picture = `${scene};${wave};[sky][wave]overlay=x=40:y=110:shortest=1,format=yuv420p[picture]`
  await runProgram(
    'ffmpeg',
    [
      ...['-v', 'error', '-y', ...inputs, '-filter_complex', `${sound};${picture}`],
      ...['-map', '[picture]', '-map', '[sound]', '-c:v', 'libx264', '-preset', 'veryfast'],
      ...['-crf', '20', '-c:a', 'aac', '-b:a', '160k', '-ac', '2', '-movflags', '+faststart', file],
    ],
    signal,
  )
}

/** Not every build of ffmpeg has the synthesiser; Debian's has. */
async function hasVoices(signal: AbortSignal): Promise<boolean> {
  const filters = await runProgram('ffmpeg', ['-hide_banner', '-filters'], signal)
  return /\bflite\b/.test(filters.toString())
}

function synthesised() {
  const inputs = lines.flatMap(({ text }) => [
    '-f',
    'lavfi',
    '-i',
    `flite=text='${text}':voice=slt`,
  ])
  const padded = lines.map(
    ({ pause }, i) => `[${i}]aresample=48000,apad=pad_dur=${pause}[line${i}]`,
  )
  const joined = `${lines.map((_, i) => `[line${i}]`).join('')}concat=n=${lines.length}:v=0:a=1[said]`
  return { inputs, graph: [...padded, joined].join(';') }
}

/** The voices of the examples in the guides, which have pauses of their own. */
function recorded() {
  const file = path.join(root, 'docs/examples/interview.mp4')
  return { inputs: ['-i', file], graph: '[0:a]aresample=48000[said]' }
}
