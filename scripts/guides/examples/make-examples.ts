import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { root } from '../../machine/checkout.ts'
import { browserProgram } from '../../machine/ensure-chromium.ts'
import { ffmpeg, secondsOf } from './run-ffmpeg.ts'

/**
 * Makes the clips that the guides use (`docs/examples`): drawn pictures, synthetic voices, and one recording that is in
 * the public domain, so that they belong to nobody else. `node scripts/guides/examples/make-examples.ts`
 */
const folder = path.join(root, 'docs/examples')
const scene = readFileSync(path.join(import.meta.dirname, 'scene.js'), 'utf8')
const usual = { width: 640, height: 360 }
const fps = 25

/** What is said, by whom, and how long nobody speaks after it. */
type Sentence = { voice: 'slt' | 'rms'; text: string; pause: number }

const talk: Sentence[] = [
  { voice: 'slt', text: 'Good morning, and welcome.', pause: 1.6 },
  { voice: 'slt', text: 'Today we plan a small garden together.', pause: 1.9 },
  { voice: 'slt', text: 'First we choose a place with light and water.', pause: 1.7 },
  { voice: 'slt', text: 'Then we decide what we want to grow.', pause: 1.2 },
]
const interview: Sentence[] = [
  { voice: 'slt', text: 'How did your garden begin?', pause: 2.2 },
  { voice: 'rms', text: 'It began with a single apple tree.', pause: 1.8 },
  { voice: 'rms', text: 'My neighbour gave it to me.', pause: 3 },
  { voice: 'slt', text: 'And what grows there today?', pause: 2 },
  { voice: 'rms', text: 'Apples, beans, and far too many tomatoes.', pause: 1.5 },
]

const work = mkdtempSync(path.join(tmpdir(), 'spool-examples-'))
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({
  executablePath: browserProgram() ?? '',
  args: ['--no-sandbox'],
})
const page = await browser.newPage()
await page.setContent(`<canvas></canvas><script>${scene}</script>`)
await clip(page, 'talk', await speak(talk, 'talk'))
await clip(page, 'interview', await speak(interview, 'interview'))
await clip(page, 'speech', await recording('ask-not.mp3'))
await clip(page, 'intro', await jingle())
writeFileSync(
  path.join(folder, 'logo.png'),
  await picture(page, 'logo', 0, { width: 240, height: 96 }),
)
await music()
await browser.close()
rmSync(work, { recursive: true })

type Sound = {
  file: string
  seconds: number
  /** How loud each picture's share of it is, from 0 to 1. */
  loudness?: number[]
  size?: typeof usual
}

/** From the inaugural address of John F. Kennedy on 20 January 1961, a work of the federal government of the USA. */
async function recording(name: string): Promise<Sound> {
  const file = path.join(import.meta.dirname, name)
  const samples = ['-f', 's16le', '-ar', '8000', '-ac', '1', path.join(work, 'samples')]
  await ffmpeg('-i', file, ...samples)
  const heard = readFileSync(path.join(work, 'samples'))
  const step = (2 * 8000) / fps
  const loudness = Array.from({ length: Math.floor(heard.length / step) }, (_, i) => {
    let sum = 0
    for (let at = i * step; at < (i + 1) * step; at += 2) sum += Math.abs(heard.readInt16LE(at))
    return Math.min(1, sum / (step / 2) / 4000)
  })
  return { file, seconds: await secondsOf(file), loudness, size: { width: 1280, height: 720 } }
}

/** The sentences with their pauses, over a soft hiss that removeNoise can take away. */
async function speak(lines: Sentence[], name: string): Promise<Sound> {
  const inputs = lines.flatMap(({ voice, text }) => {
    return ['-f', 'lavfi', '-i', `flite=text='${text}':voice=${voice}`]
  })
  const padded = lines.map(
    ({ pause }, i) => `[${i}]aresample=48000,volume=0.7,apad=pad_dur=${pause}[s${i}]`,
  )
  const joined = `${lines.map((_, i) => `[s${i}]`).join('')}concat=n=${lines.length}:v=0:a=1[said]`
  const hiss = 'anoisesrc=colour=pink:amplitude=0.006:sample_rate=48000[hiss]'
  const file = path.join(work, `${name}.wav`)
  const graph = [...padded, joined, hiss, '[said][hiss]amix=duration=first:normalize=0'].join(';')
  await ffmpeg(...inputs, '-filter_complex', graph, file)
  return { file, seconds: await secondsOf(file) }
}

async function jingle(): Promise<Sound> {
  const file = path.join(work, 'intro.wav')
  const notes = [523, 659, 784].map(
    (hertz, i) => `sin(2*PI*${hertz}*t)*gt(t,${i * 0.25})*exp(-2*(t-${i * 0.25}))`,
  )
  await ffmpeg('-f', 'lavfi', '-i', `aevalsrc='0.15*(${notes.join('+')})':d=2.4:s=48000`, file)
  return { file, seconds: 2.4 }
}

/** Four chords, each two seconds, soft enough to stand under a voice. */
async function music(): Promise<void> {
  const chords = [
    [220, 277, 330],
    [196, 247, 294],
    [175, 220, 262],
    [196, 247, 294],
  ]
  const tones = chords.flatMap((chord, i) =>
    chord.map(
      (hertz) =>
        `sin(2*PI*${hertz}*t)*between(t,${i * 2},${i * 2 + 2})*exp(-0.7*(t-${i * 2}))*min(1,40*(t-${i * 2}))`,
    ),
  )
  const sound = `aevalsrc='0.16*(${tones.join('+')})':d=8:s=44100`
  await ffmpeg('-f', 'lavfi', '-i', sound, '-b:a', '64k', path.join(folder, 'music.mp3'))
}

async function clip(page: Page, name: string, sound: Sound): Promise<void> {
  const pictures = ['-f', 'image2pipe', '-framerate', String(fps), '-c:v', 'mjpeg', '-i', '-']
  const video = ['-c:v', 'libx264', '-preset', 'veryslow', '-crf', '27', '-pix_fmt', 'yuv420p']
  const audio = ['-c:a', 'aac', '-b:a', '64k', '-ac', '1', '-shortest', '-movflags', '+faststart']
  const file = path.join(folder, `${name}.mp4`)
  const encoder = spawn(
    'ffmpeg',
    ['-v', 'error', '-y', ...pictures, '-i', sound.file, ...video, '-g', '50', ...audio, file],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  )
  for (let i = 0; i < sound.seconds * fps; i++) {
    const bytes = await picture(page, name, i / fps, sound.size ?? usual, sound.loudness?.[i])
    if (!encoder.stdin.write(bytes)) await once(encoder.stdin, 'drain')
  }
  encoder.stdin.end()
  await once(encoder, 'close')
}

async function picture(
  page: Page,
  name: string,
  t: number,
  { width, height }: typeof usual,
  loudness?: number,
): Promise<Buffer> {
  const address = await page.evaluate(
    (all) => (globalThis as unknown as { draw: (...all: unknown[]) => string }).draw(...all),
    [name, t, width, height, loudness],
  )
  return Buffer.from(address.split(',')[1] ?? '', 'base64')
}
