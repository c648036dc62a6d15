import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { ffmpegBytes } from '../run-tool.ts'

/** Portraits in a picture of the package of the face model: where they begin, and where the mouth of each is in it. */
const portraits = [
  { left: 14, across: 0.56, down: 0.6 },
  { left: 170, across: 0.42, down: 0.59 },
  { left: 325, across: 0.73, down: 0.6 },
  { left: 480, across: 0.37, down: 0.59 },
  { left: 640, across: 0.46, down: 0.63 },
] as const
const portrait = { width: 140, height: 150, top: 350 }
/** Half of a mouth, as a share of the width of a portrait, and how far it opens, as a share of its height. */
const mouth = { wide: 0.16, open: 0.09 }

type TalkingFace = {
  readonly portrait: number
  /** Where the left upper corner is at a moment, in pixels. */
  readonly at: (seconds: number) => readonly [x: number, y: number]
  /** How tall it is, in pixels. */
  readonly height: number
  /** Whether the mouth moves by itself, as that of somebody who chews. */
  readonly chews?: boolean
}

/** Who of the faces speaks from one moment to another. */
type Turn = { readonly who: number; readonly from: number; readonly to: number }

export type TalkingFilm = {
  readonly size: readonly [width: number, height: number]
  readonly fps: number
  readonly seconds: number
  readonly faces: readonly TalkingFace[]
  readonly turns: readonly Turn[]
  /** A file whose sound is heard in each turn, from its beginning on. */
  readonly voices: readonly string[]
  /** Tells this film from others. */
  readonly name: string
}

const levelRate = 16_000
/** All voices are equally loud. */
const usualLevel = 0.08
type Pixels = { readonly width: number; readonly height: number; readonly rgb: Uint8Array }

/** A film in which mouths open with the level of the sound while their owners have the word. */
export async function talkingFilm(film: TalkingFilm): Promise<string> {
  const folder = path.join(tmpdir(), 'spool-test-fixtures')
  const key = createHash('sha256').update(JSON.stringify(film)).digest('hex').slice(0, 20)
  const file = path.join(folder, `talking-${key}.mp4`)
  if (
    await access(file).then(
      () => true,
      () => false,
    )
  )
    return file
  await mkdir(folder, { recursive: true })
  const voices = await Promise.all(film.voices.map(async (voice) => soundOf(voice)))
  const sound = mixed(film, voices)
  const faces = await Promise.all(film.faces.map(async (face) => portraitOf(face)))
  const [width, height] = film.size
  const draft = `${file}.${process.pid}.mp4`
  const soundFile = `${file}.${process.pid}.f32`
  await writeFile(soundFile, Buffer.from(sound.buffer))
  const picture = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`]
  const heard = ['-f', 'f32le', '-ar', String(levelRate), '-ac', '1', '-i', soundFile]
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12', '-pix_fmt', 'yuv420p']
  const args = ['-v', 'error', '-y', ...picture, '-r', String(film.fps), '-i', '-', ...heard]
  const tool = spawn('ffmpeg', [...args, ...coding, '-c:a', 'aac', '-b:a', '96k', draft], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = once(tool, 'exit')
  for (let i = 0; i < Math.round(film.seconds * film.fps); i++) {
    const drawn = drawPicture(film, faces, sound, i / film.fps)
    if (!tool.stdin.write(drawn)) await once(tool.stdin, 'drain')
  }
  tool.stdin.end()
  const [code] = (await ended) as [number]
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
  await rename(draft, file)
  await rm(soundFile)
  return file
}

async function soundOf(file: string): Promise<Float32Array> {
  const raw = ['-vn', '-ar', String(levelRate), '-ac', '1', '-f', 'f32le', '-']
  const bytes = await ffmpegBytes(['-i', file, ...raw])
  const samples = new Float32Array(new Uint8Array(bytes).buffer)
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  return samples.map((sample) => (sample * usualLevel) / Math.sqrt(power))
}

function mixed(
  { seconds, turns }: TalkingFilm,
  voices: readonly (Float32Array | undefined)[],
): Float32Array {
  const sound = new Float32Array(Math.round(seconds * levelRate))
  const used = new Map<number, number>()
  for (const { who, from, to } of turns) {
    const voice = voices[who % Math.max(1, voices.length)]
    if (!voice) continue
    const begun = used.get(who) ?? 0
    const [start, end] = [Math.round(from * levelRate), Math.round(to * levelRate)]
    for (let i = start; i < Math.min(end, sound.length); i++) {
      sound[i] = voice[(begun + i - start) % voice.length] ?? 0
    }
    used.set(who, begun + end - start)
  }
  return sound
}

async function portraitOf({ portrait: number, height }: TalkingFace): Promise<Pixels> {
  const source = path.resolve('node_modules/@vladmandic/human/assets/screenshot-facedetect.jpg')
  const width = Math.round((height * portrait.width) / portrait.height / 2) * 2
  const crop = `crop=${portrait.width}:${portrait.height}:${portraits[number]?.left ?? 0}:${portrait.top}`
  const raw = ['-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-']
  const filters = `${crop},scale=${width}:${height}:flags=bicubic`
  return { width, height, rgb: await ffmpegBytes(['-i', source, '-vf', filters, ...raw]) }
}

/** The level of the sound at a moment, 0 … 1. */
function levelAt(sound: Float32Array, seconds: number): number {
  const middle = Math.round(seconds * levelRate)
  const reach = Math.round(0.03 * levelRate)
  let power = 0
  for (let i = middle - reach; i < middle + reach; i++) power += (sound[i] ?? 0) ** 2
  return Math.min(1, Math.sqrt(power / (2 * reach)) / 0.12)
}

function drawPicture(
  { size: [width, height], faces, turns }: TalkingFilm,
  pictures: readonly Pixels[],
  sound: Float32Array,
  seconds: number,
): Uint8Array {
  const drawn = new Uint8Array(width * height * 3)
  let seed = Math.round(seconds * 1000) * 7919 + 1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0
      const noise = ((seed >>> 24) & 7) - 3
      const at = (y * width + x) * 3
      drawn[at] = 60 + (x * 40) / width + noise
      drawn[at + 1] = 80 + (y * 50) / height + noise
      drawn[at + 2] = 100 + noise
    }
  }
  for (const [i, face] of faces.entries()) {
    const speaks = turns.some(({ who, from, to }) => who === i && seconds >= from && seconds < to)
    const chewing = face.chews ? 0.45 * Math.abs(Math.sin(seconds * 8)) : 0
    const open = speaks ? levelAt(sound, seconds) : chewing
    const picture = pictures[i]
    const place = { at: face.at(seconds), open, ...(portraits[face.portrait] ?? portraits[0]) }
    if (picture) drawFace(drawn, [width, height], picture, place)
  }
  return drawn
}

type Place = {
  readonly at: readonly [x: number, y: number]
  readonly across: number
  readonly down: number
  /** How far the mouth is open, 0 … 1. */
  readonly open: number
}

/** What is below the mouth goes down, and a dark gap opens. */
function drawFace(
  drawn: Uint8Array,
  [across, down]: readonly [number, number],
  { width, height, rgb }: Pixels,
  { at: [left, top], open, ...lips }: Place,
): void {
  const line = lips.down * height
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [toX, toY] = [Math.round(left) + x, Math.round(top) + y]
      if (toX < 0 || toY < 0 || toX >= across || toY >= down) continue
      const aside = (x / width - lips.across) / mouth.wide
      const gap =
        Math.abs(aside) < 1 ? open * mouth.open * height * Math.sqrt(1 - aside * aside) : 0
      const isGap = y > line && y <= line + gap
      const shift = y > line + gap ? gap * Math.max(0, 1 - (y - line - gap) / (height - line)) : 0
      const fromY = y - shift
      const to = (toY * across + toX) * 3
      const upper = Math.floor(fromY)
      const part = fromY - upper
      for (let plane = 0; plane < 3; plane++) {
        const one = rgb[(upper * width + x) * 3 + plane] ?? 0
        const other = rgb[(Math.min(height - 1, upper + 1) * width + x) * 3 + plane] ?? 0
        drawn[to + plane] = isGap ? 45 - plane * 12 : one + part * (other - one)
      }
    }
  }
}
