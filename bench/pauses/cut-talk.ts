import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { optionsSchema } from '../../worker/contract/options.ts'
import { fpsOf } from '../../containers/timeline/frame-rate.ts'
import { measureMedia } from '../../containers/ffmpeg/measure-media.ts'
import type { ToolContext } from '../../containers/ffmpeg/run-tool.ts'
import { openClip } from '../../containers/render/open-clip.ts'
import { prepareSound } from '../../containers/sound/prepare-sound.ts'
import type { VoiceDetector } from '../../containers/sound/voice-activity.ts'
import { wordDistance } from '../../containers/speech/local/word-distance.ts'
import type { SpeechProvider } from '../../containers/speech/speech-provider.ts'
import { rate } from '../sound/mix.ts'
import { normaliseWords } from '../speech/normalise-words.ts'
import { filtered, rate as speechRate, writeMp3 } from '../speech/voices.ts'
import type { Gap, Talk } from './make-talk.ts'

const run = promisify(execFile)

export type Ears = {
  readonly tools: ToolContext
  readonly speech: SpeechProvider
  readonly voices: VoiceDetector
}

export type CutTalk = {
  readonly gapSeconds: number
  /** How much of the gaps was cut. */
  readonly cutSeconds: number
  /** The share of the gaps that was cut, without the padding that is left on purpose. */
  readonly share: number
  /** How much was cut outside the gaps. */
  readonly spokenSeconds: number
  readonly cuts: number
  /** Word errors of the recogniser, before and after the pauses were cut. */
  readonly errorsBefore: number
  readonly errorsAfter: number
}

/** Seconds left of every pause; of the first and the last only on one side. */
const padding = 0.35

export async function cutTalk(ears: Ears, { samples: sound, gaps, said }: Talk): Promise<CutTalk> {
  const { tools } = ears
  const facts = await writeVideo(tools, sound)
  const prepared = await prepareSound(tools, {
    clips: [openClip('talk.mp4', facts, {})],
    options: optionsSchema.parse({ removeSilence: true }),
    voices: ears.voices,
    isTranscribed: false,
    onProgress: () => undefined,
    onFault: (error) => {
      throw error
    },
  })
  const fps = fpsOf(facts.video.frameRate)
  const removed = (prepared?.removed.all ?? []).map(({ from, to }) => ({
    from: from / fps,
    to: to / fps,
  }))
  const cutSeconds = overlap(gaps, removed)
  const gapSeconds = lengthOf(gaps)
  const before = await wordsOf(ears, sound)
  const after = await wordsOf(ears, await leftOf(path.join(tools.folder, prepared?.path ?? '')))
  return {
    gapSeconds,
    cutSeconds,
    share: cutSeconds / (gapSeconds - padding * (gaps.length - 1)),
    spokenSeconds: lengthOf(removed) - cutSeconds,
    cuts: removed.length,
    errorsBefore: wordDistance(said, before),
    errorsAfter: wordDistance(said, after),
  }
}

async function writeVideo(tools: ToolContext, sound: Float32Array) {
  const { folder } = tools
  await writeFile(path.join(folder, 'talk.f32'), sound)
  const picture = ['-f', 'lavfi', '-i', `color=s=64x64:r=30:d=${sound.length / rate}`]
  const raw = ['-f', 'f32le', '-ar', String(rate), '-ac', '1', '-i', 'talk.f32']
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-b:a', '192k']
  const args = ['-nostdin', '-v', 'error', '-y', ...picture, ...raw, ...coding, 'talk.mp4']
  await run('ffmpeg', args, { cwd: folder })
  return measureMedia(tools, { path: 'talk.mp4', field: 'talk', maxSeconds: 3_600 })
}

/** The left one of two equal channels. */
async function leftOf(file: string): Promise<Float32Array> {
  const bytes = await readFile(file)
  const stereo = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  return stereo.filter((_, i) => i % 2 === 0)
}

async function wordsOf({ tools, speech }: Ears, sound: Float32Array): Promise<string[]> {
  const file = path.join(tools.folder, 'heard.mp3')
  await writeMp3(await filtered(sound, 'anull', { from: rate, to: speechRate }), file)
  const durationSeconds = sound.length / rate
  const audio = { path: file, durationSeconds, sizeBytes: (await stat(file)).size }
  const { segments } = await speech.transcribe(audio, tools)
  return segments.flatMap(({ text }) => normaliseWords(text))
}

function lengthOf(spans: readonly Gap[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0)
}

function overlap(some: readonly Gap[], others: readonly Gap[]): number {
  const shared = some.flatMap((one) =>
    others.map((other) => Math.min(one.to, other.to) - Math.max(one.from, other.from)),
  )
  return shared.reduce((sum, seconds) => sum + Math.max(0, seconds), 0)
}
