import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { boxesIn } from '../../../../containers/cuts/mp4/boxes.ts'
import { addClosedCaptions } from './closed-captions.ts'
import { revealHidden } from './reveal-hidden.ts'
import { ffmpeg, ffmpegBytes, listed } from '../run-tool.ts'
import { samplesOf } from '../sound/samples.ts'
import { amplitudeAt } from '../sound/sound-files.ts'
import { joined, rate, silence, speech } from '../sound/speech.ts'
import { aFolder } from '../tool-context.ts'

/** A word that is written wherever a file may have text of its removed part. */
export const markText = 'Zanzibar'
/** Words that are said only in the removed part. */
export const saidMarks = /surpass|typograph/iu

const toneHz = 5_000
const fps = 25

export type MarkedVideo = {
  readonly file: string
  /** The part that has the marks, in seconds. */
  readonly marked: { readonly startTime: number; readonly endTime: number }
}

type Kind = {
  readonly extension: string
  readonly video: readonly string[]
  readonly audio: readonly string[]
  readonly subtitles?: string
  /** Whether the pictures between cuts are copied. */
  readonly isCopied: boolean
  readonly isTwoPass?: boolean
  /** How many seconds at the beginning an edit list hides in the end. */
  readonly hidden?: number
  /** What becomes of the file at last. */
  readonly finish?: (file: string) => Promise<string>
}

const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-x264-params']
const inMp4 = { extension: 'mp4', audio: ['-c:a', 'aac'], subtitles: 'mov_text', isCopied: true }

export const markedKinds: Readonly<Record<string, Kind>> = {
  'H.264 in open groups': {
    ...{ ...inMp4, extension: 'mov' },
    video: [...x264, 'keyint=50:bframes=3:b-pyramid=normal:open-gop=1:scenecut=0'],
  },
  'VP9 with hidden frames': {
    ...{ extension: 'webm', audio: ['-c:a', 'libopus'], subtitles: 'webvtt', isTwoPass: true },
    isCopied: true,
    video: [
      ...['-c:v', 'libvpx-vp9', '-b:v', '150k', '-g', '60', '-cpu-used', '4'],
      ...['-auto-alt-ref', '1', '-lag-in-frames', '25', '-pix_fmt', 'yuv420p'],
    ],
  },
  'H.264 with closed captions': {
    ...inMp4,
    video: [...x264, 'keyint=50:bframes=0:scenecut=0'],
    isCopied: false,
    finish: async (file) => addClosedCaptions(file, () => markText),
  },
  'H.264 behind an edit list': {
    ...inMp4,
    video: [...x264, 'keyint=50:bframes=2:scenecut=0'],
    hidden: 1,
    async finish(file) {
      const trimmed = file.replace('.mp4', '.trimmed.mp4')
      await ffmpeg(['-ss', '1', '-i', file, '-map', '0:v', '-map', '0:a', '-c', 'copy', trimmed])
      return trimmed
    },
  },
  HEVC: {
    ...inMp4,
    video: [
      ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'],
      ...['-x265-params', 'log-level=error:keyint=50:bframes=3:open-gop=1:scenecut=0'],
    ],
  },
}

/**
 * A video of somebody who speaks, of which one part has a mark in its picture and in its sound, says what no other part
 * says, and has a chapter and subtitles with the mark in words. What an edit list hides has the mark in its picture too.
 */
export async function markedVideo({ finish, ...kind }: Kind): Promise<MarkedVideo> {
  const pauses = [1.3, 0.9, 0.9, 0.4] as const
  const [first, second] = [await speech([pauses[0], 0]), await speech([pauses[0], pauses[1], 0])]
  const plain = await speech(pauses)
  const inPictures = (seconds: number): number => Math.round(seconds * fps) / fps
  const startTime = inPictures(first.length / rate + 0.4)
  const endTime = inPictures(second.length / rate + 0.5)
  const sound = plain.map((value, i) => {
    const isMarked = i >= startTime * rate && i < endTime * rate
    return value + (isMarked ? 0.3 * Math.sin((2 * Math.PI * toneHz * i) / rate) : 0)
  })
  const folder = await aFolder()
  const file = path.join(folder, `marked.${kind.extension}`)
  const seconds = Math.floor((sound.length / rate) * fps) / fps
  const marked = { startTime, endTime }
  await writeMarked(kind, { file, sound: joined([sound, silence(1)]), seconds, marked })
  const { hidden = 0 } = kind
  const made = (await finish?.(file)) ?? file
  return { file: made, marked: { startTime: startTime - hidden, endTime: endTime - hidden } }
}

type Content = Pick<MarkedVideo, 'file' | 'marked'> & {
  readonly sound: Float32Array<ArrayBuffer>
  readonly seconds: number
}

async function writeMarked(
  { extension, video, audio, subtitles, isTwoPass = false, hidden = 0 }: Omit<Kind, 'finish'>,
  { file, sound, seconds, marked: { startTime, endTime } }: Content,
): Promise<void> {
  const beside = (name: string): string => path.join(path.dirname(file), name)
  await writeFile(beside('sound.f32'), new Uint8Array(sound.buffer))
  const at = (time: number): string => new Date(time * 1000).toISOString().slice(11, 23)
  const cue = `${at(startTime)} --> ${at(endTime)}\n${markText}\n`
  await writeFile(beside('cues.vtt'), `WEBVTT\n\n${cue}`)
  const chapter = `START=${startTime * 1000}\nEND=${endTime * 1000}\ntitle=${markText}\n`
  await writeFile(
    beside('chapters.txt'),
    `;FFMETADATA1\ntitle=${markText}\n[CHAPTER]\nTIMEBASE=1/1000\n${chapter}`,
  )
  // A corner that is magenta in the marked part and black in all others.
  const isMarked = `lt(t,${hidden - 0.02})+between(t,${startTime - 0.01},${endTime - 0.03})`
  const corner = `drawbox=w=64:h=64:color=black:t=fill,drawbox=w=64:h=64:color=magenta:t=fill:enable='${isMarked}'`
  const picture = `testsrc2=s=256x144:r=${fps}:d=${seconds},${corner}`
  const inputs = [
    ...['-f', 'lavfi', '-i', picture],
    ...['-f', 'f32le', '-ar', String(rate), '-ac', '1', '-i', beside('sound.f32')],
    ...['-i', beside('chapters.txt'), '-i', beside('cues.vtt')],
  ]
  const passes = isTwoPass ? ['-passlogfile', beside('passes'), '-pass'] : []
  if (isTwoPass) {
    await ffmpeg([...inputs, '-map', '0:v', ...video, ...passes, '1', '-f', 'null', '-'])
  }
  const tracks = ['-map', '0:v', '-map', '1:a', '-map_metadata', '2', '-map_chapters', '2']
  const text = subtitles === undefined ? [] : ['-map', '3:s', '-c:s', subtitles]
  const coding = [...video, ...(isTwoPass ? [...passes, '2'] : []), ...audio]
  const ends = ['-t', String(seconds), '-f', extension]
  await ffmpeg(['-y', ...inputs, ...tracks, ...text, ...coding, ...ends, file])
}

/** What a file has of the marks, whatever a player would show of it. */
export async function marksIn(file: string): Promise<string[]> {
  const bytes = await readFile(file)
  const found = [
    (await markedPictures(file)) > 0 ? 'a picture' : undefined,
    (await isAmongHidden(file)) ? 'a picture that is not shown' : undefined,
    (await loudestTone(file)) > 0.1 ? 'the tone' : undefined,
    bytes.includes(markText) ? 'the text' : undefined,
    (await straysIn(file, bytes)) > 0 ? 'bytes of no packet' : undefined,
  ]
  return found.filter((one) => one !== undefined)
}

/** How many pictures have the mark in their corner. */
export async function markedPictures(
  file: string,
  reading: readonly string[] = [],
): Promise<number> {
  const corner = 'crop=48:48:8:8,scale=1:1:flags=area,format=rgb24'
  const pixels = await ffmpegBytes([
    ...[...reading, '-i', file, '-map', '0:v:0', '-vf', corner],
    ...['-fps_mode', 'passthrough', '-f', 'rawvideo', '-'],
  ])
  let count = 0
  for (let at = 0; at + 3 <= pixels.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3)
    if (red > 60 && blue > 60 && green < 60) count += 1
  }
  return count
}

/** Hidden frames of VP9, and pictures that an edit list hides. */
async function isAmongHidden(file: string): Promise<boolean> {
  if (file.endsWith('.webm')) {
    const revealed = `${file}.ivf`
    await revealHidden(file, revealed)
    return (await markedPictures(revealed)) > 0
  }
  if (!/\.(mp4|mov)$/.test(file)) return false
  const all = ['-ignore_editlist', '1', '-flags', 'output_corrupt', '-flags2', 'showall']
  return (await markedPictures(file, all)) > 0
}

/** The amplitude of the tone where it is loudest, in windows of 20 ms. */
async function loudestTone(file: string): Promise<number> {
  const hz = 16_000
  const samples = await samplesOf(file, hz)
  const size = hz / 50
  let most = 0
  for (let from = 0; from + size <= samples.length; from += size) {
    const seconds = (from + size / 2) / hz
    most = Math.max(most, amplitudeAt(samples, hz, seconds, { hertz: toneHz }))
  }
  return most
}

/** How many bytes of the media data of an MP4 file belong to no packet. */
async function straysIn(file: string, bytes: Buffer): Promise<number> {
  if (!/\.(mp4|mov)$/.test(file)) return 0
  const sizes = await listed(file, 'packet=size', ['-ignore_editlist', '1'])
  const packets = sizes.reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0), 0)
  const media = boxesIn(bytes).filter(({ type }) => type === 'mdat')
  return media.reduce((sum, { body }) => sum + body.length, 0) - packets
}
