import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { optionsSchema } from '../../worker/contract/options/options.ts'
import { measureMedia } from '../../containers/ffmpeg/measure-media.ts'
import { readTool, type ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { textOf } from '../../containers/insight/settle-speech.ts'
import { carrySpeech, transcribeSources } from '../../containers/insight/transcribe-video.ts'
import { cutTimeline } from '../../containers/timeline/cut-list.ts'
import { openClip } from '../../containers/render/frame/open-clip.ts'
import { fpsOf } from '../../containers/timeline/frame-rate.ts'
import { frameCount } from '../../containers/timeline/frame-spans.ts'
import { secondsLeft } from '../../containers/timeline/list-cuts.ts'
import { prepareSound } from '../../containers/sound/prepare-sound.ts'
import { wordDistance } from '../../containers/speech/local/word-distance.ts'
import type { SpeechProvider } from '../../containers/speech/speech-provider.ts'
import type { VoiceDetector } from '../../containers/sound/pauses/voice-activity.ts'
import { mixAt, rate } from '../sound/mix.ts'
import { noises, type NoiseName } from '../sound/noises.ts'
import type { Sample, Sentence } from './make-sample.ts'
import { normaliseWords } from './normalise-words.ts'
import { filtered, rate as speechRate } from './voices.ts'

type Asked = 'removeSilence' | 'removeNoise' | 'normalizeAudio' | 'removeSegments'

const wishes: readonly (readonly Asked[])[] = [
  [],
  ['removeSilence'],
  ['removeNoise'],
  ['normalizeAudio'],
  ['removeSilence', 'removeNoise'],
  ['removeSegments'],
  ['removeSilence', 'removeNoise', 'normalizeAudio'],
  ['removeSilence', 'removeNoise', 'normalizeAudio', 'removeSegments'],
]
/** Of the passage: what `removeSegments` takes out. */
const removedSentences = { from: 2, to: 4 }

const surroundings: readonly { readonly noise: NoiseName; readonly ratioDb: number }[] = [
  { noise: 'pink', ratioDb: 18 },
  { noise: 'pink', ratioDb: 10 },
  { noise: 'rain', ratioDb: 18 },
  { noise: 'rain', ratioDb: 10 },
  { noise: 'street', ratioDb: 18 },
  { noise: 'street', ratioDb: 10 },
]

/** The largest share of words that an option may lose in comparison with none. */
const mostLost = 0.01

export type Ears = { readonly speech: SpeechProvider; readonly voices: VoiceDetector }

type Heard = { readonly errors: number; readonly stops: number; readonly seconds: number }

export type Spoken = {
  readonly passage: Sample
  /** Only the surroundings whose names begin like this. */
  readonly only: string
}

/**
 * Transcribes the same sentences in noise with each option and with some combinations: cutting and cleaning must lose
 * no words and no full stops. Returns the limits that are broken.
 */
export async function measureOptions(
  ears: Ears,
  tools: ToolContext,
  { passage, only }: Spoken,
): Promise<string[]> {
  const said = wordsOf(passage.said)
  const voice = await filtered(passage.samples, 'anull', { from: speechRate, to: rate })
  const faults: string[] = []
  for (const surrounding of [undefined, ...surroundings]) {
    const name = surrounding ? `${surrounding.noise}, ${surrounding.ratioDb} dB` : 'clean'
    if (!name.startsWith(only)) continue
    const sound = surrounding
      ? mixAt(voice, await noises[surrounding.noise](voice.length / rate), surrounding.ratioDb)
      : voice
    await writeVideo(tools, sound)
    let without: Heard | undefined
    for (const asked of wishes) {
      const heard = await hear(ears, tools, { asked, passage })
      without ??= heard
      const wish = asked.length === 0 ? 'nothing' : asked.join(' + ')
      const share = ((heard.errors / said.length) * 100).toFixed(1)
      process.stdout.write(
        `${name.padEnd(16)} ${wish.padEnd(46)} ${share.padStart(5)} %  ${heard.stops} sentences  −${heard.seconds.toFixed(1)} s\n`,
      )
      if (heard.errors > without.errors + mostLost * said.length)
        faults.push(`${name}, ${wish}: ${heard.errors} errors, ${without.errors} with nothing`)
      const removed = asked.includes('removeSegments')
        ? removedSentences.to - removedSentences.from
        : 0
      if (heard.stops < without.stops - removed)
        faults.push(`${name}, ${wish}: ${heard.stops} sentences end, ${without.stops} with nothing`)
    }
  }
  return faults
}

const videoPath = 'options.mov'

async function writeVideo(tools: ToolContext, sound: Float32Array): Promise<void> {
  const raw = path.join(tools.folder, 'options.f32')
  await writeFile(raw, new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength))
  await readTool(tools, 'ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'f32le', '-ar', String(rate), '-ac', '1', '-i', raw],
    ...['-f', 'lavfi', '-i', `color=s=64x64:r=25:d=${sound.length / rate}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'pcm_s16le', '-shortest'],
    path.join(tools.folder, videoPath),
  ])
}

async function hear(
  { speech, voices }: Ears,
  tools: ToolContext,
  { asked, passage }: { asked: readonly Asked[]; passage: Sample },
): Promise<Heard> {
  const file = { path: videoPath, field: 'fileUrl', maxSeconds: 3_600 }
  const clips = [openClip(videoPath, await measureMedia(tools, file), {})]
  const isCut = asked.includes('removeSegments')
  const options = optionsSchema.parse({
    ...Object.fromEntries(asked.map((name) => [name, true])),
    removeSegments: isCut ? [segmentOf(passage)] : [],
  })
  const cut = cutTimeline(clips, options.removeSegments)
  const sound = await prepareSound(tools, {
    ...{ clips, ...cut, options, voices, isTranscribed: true },
    onProgress: () => undefined,
    onFault: (error) => {
      throw error
    },
  })
  const { timeline } = cut
  const removed = sound?.removed ?? cut.removed
  const sources = { clips, timeline, removed, sound }
  const seconds = frameCount(removed.all) / fpsOf(timeline.frameRate)
  const request = {
    sources,
    maxAudioBytes: Number.POSITIVE_INFINITY,
    provider: speech,
    onProgress: () => undefined,
  }
  const heard = carrySpeech(await transcribeSources(tools, request), sources, secondsLeft(sources))
  const text = textOf(heard)
  const stops = text.match(/[.!?](?=\s|$)/g)?.length ?? 0
  const said = passage.said.filter((_, i) => !isCut || !isRemoved(i))
  return { errors: wordDistance(wordsOf(said), normaliseWords(text)), stops, seconds }
}

const isRemoved = (i: number): boolean => i >= removedSentences.from && i < removedSentences.to

/** From one sentence to another, a little before both. */
function segmentOf({ said }: Sample): { startTime: number; endTime: number } {
  const [startTime, endTime] = [removedSentences.from, removedSentences.to].map(
    (i) => (said[i]?.startTime ?? 0) - 0.2,
  ) as [number, number]
  return { startTime, endTime }
}

function wordsOf(said: readonly Sentence[]): string[] {
  return said.flatMap(({ text }) => normaliseWords(text))
}
