import path from 'node:path'
import { stat } from 'node:fs/promises'
import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import { clipSpans, joinedSeconds } from '../timeline/timeline.ts'
import { BlockMeter, type SoundBlocks } from './level/block-meter.ts'
import type { RawSound } from './pauses/cut-pauses.ts'
import { packNoise, unpackNoise } from './noise/known-noise.ts'
import { hearNoise, type HeardNoise } from './noise/noise-thread-client.ts'
import { type SoundRequest, needsSpeech, needsVoices } from './sound-request.ts'
import { makeSharedFile, recordSound } from './record-sound.ts'
import { joinedSound, samplesOfSpan } from './sound-graph.ts'
import { speechSoundPath, type SpeechSound } from './speech-sound.ts'
import { packVoices, unpackVoices, type VoiceActivity } from './pauses/voice-activity.ts'
import { hash } from 'node:crypto'
import { compileArgs } from '../graph/compile-args.ts'

/** The packed size of the noise, for speech in rain. */
const noiseBytesASecond = 9_800

export const soundPath = 'sound.f32'

export type RecordedTimeline = {
  /** The blocks of the whole timeline, after noise removal. */
  readonly blocks: SoundBlocks
  readonly speech: SpeechSound | undefined
  /** False also if noise was to be removed and none was found. */
  readonly hasNoiseRemoved: boolean
  /** The sound before that; present if it has to be known where somebody speaks. */
  readonly raw: RawSound | undefined
  /** Whether the number of channels changed and silence was inserted: the recording is then useless. */
  readonly isBrokenUp: boolean
}

/** Decodes the sound of the joined timeline once; speech models get it unchanged. */
export async function recordTimeline(
  tools: ToolContext,
  request: SoundRequest,
): Promise<RecordedTimeline> {
  const { options, voices, isTranscribed, kept } = request
  if (!needsSpeech(options, isTranscribed)) {
    const recorded = await recordBlocks(tools, request)
    return { ...recorded, speech: undefined, raw: undefined }
  }
  const file = path.join(tools.folder, speechSoundPath)
  await makeSharedFile(file)
  const isAsked = needsVoices(options)
  const name = nameSound('voices', request, kept?.hashes ?? [])
  const known = isAsked ? await keptVoices(kept, name) : undefined
  const listening = isAsked && !known ? voices.listen(file, tools.signal) : undefined
  try {
    const recorded = await recordBlocks(tools, request, () => listening?.grown())
    const heard = await listening?.finish().catch((error: unknown): VoiceActivity | undefined => {
      tools.signal.throwIfAborted()
      request.onFault(error)
      return undefined
    })
    if (heard && !recorded.isBrokenUp) await kept?.bytes.keep(name, packVoices(heard))
    const activity = known ?? heard
    const samples = Math.floor((await stat(file)).size / Float32Array.BYTES_PER_ELEMENT)
    const speech = { path: speechSoundPath, samples, activity }
    return { ...recorded, speech, raw: isAsked ? { blocks: recorded.raw, speech } : undefined }
  } finally {
    await listening?.stop()
  }
}

async function keptVoices(
  kept: SoundRequest['kept'],
  name: string,
): Promise<VoiceActivity | undefined> {
  const packed = await kept?.bytes.find(name)
  return packed && unpackVoices(packed)
}

/** One pass if the sound is only measured; two if noise must be known before it is removed. */
async function recordBlocks(tools: ToolContext, request: SoundRequest, onGrowth?: () => void) {
  if (!request.options.removeNoise) {
    const { raw, isBrokenUp } = await recordRaw(tools, { request, onGrowth })
    return { blocks: raw, raw, hasNoiseRemoved: false, isBrokenUp }
  }
  const { timeline, kept } = request
  const seconds = joinedSeconds(timeline)
  const name = nameSound('noise', request, kept?.hashes ?? [])
  const packed = await kept?.bytes.find(name)
  const known = packed && (await unpackNoise(tools, packed))
  const noise = hearNoise(tools, {
    path: soundPath,
    clipEnds: clipSpans(timeline).map((clip) => samplesOfSpan(clip, timeline.frameRate).to),
    known,
    // The rest of the progress is for removing it.
    onHeard: (heard) => request.onProgress((heard / seconds) * 0.8),
  })
  try {
    const { raw, isBrokenUp } = await recordRaw(tools, { request, onGrowth, noise })
    const { blocks, isChanged, treated } = await noise.reduce()
    request.onProgress(0.9)
    const isNew = !known && !isBrokenUp
    if (isNew && kept?.bytes.takes(seconds * noiseBytesASecond))
      await kept.bytes.keep(name, await packNoise(tools, treated))
    return { blocks, raw, hasNoiseRemoved: isChanged, isBrokenUp }
  } finally {
    await noise.close()
  }
}

type RecordingRequest = {
  readonly request: SoundRequest
  readonly onGrowth: (() => void) | undefined
  readonly noise?: HeardNoise
}

async function recordRaw(
  tools: ToolContext,
  { request, onGrowth, noise }: RecordingRequest,
): Promise<{ raw: SoundBlocks; isBrokenUp: boolean }> {
  const { clips, timeline, options, isTranscribed, onProgress } = request
  const seconds = joinedSeconds(timeline)
  const meter = new BlockMeter()
  const isMetered = !noise || needsVoices(options)
  const { isBrokenUp } = await recordSound(tools, {
    sound: joinedSound(clips, timeline),
    path: soundPath,
    withSpeech: needsSpeech(options, isTranscribed),
    maxSeconds: seconds + 1,
    onSeconds: (done) => {
      onGrowth?.()
      noise?.grown()
      if (!noise) onProgress((done / seconds) * 0.9)
    },
    onSamples: (samples) => {
      if (isMetered) meter.push(samples)
    },
  })
  return { raw: meter.finish(), isBrokenUp }
}

/** Names the measurements of a timeline's sound: by the bytes of its sources, and by everything that is done to them first. */
function nameSound(
  what: string,
  { clips, timeline }: Pick<SoundRequest, 'clips' | 'timeline'>,
  hashes: readonly string[],
): string {
  const tracks = [{ stream: joinedSound(clips, timeline), coding: [] }]
  const made = compileArgs({ tracks, muxing: [], path: '', threads: 1, maxPixels: 1 })
  const { clipFrames, frameRate } = timeline
  const named = JSON.stringify({ what, hashes, made, clipFrames, frameRate })
  return hash('sha256', named)
}
