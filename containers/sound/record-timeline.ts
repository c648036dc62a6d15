import { stat } from 'node:fs/promises'
import path from 'node:path'
import { fpsOf } from '../ffmpeg/frame-rate.ts'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import type { Timeline } from '../render/timeline.ts'
import { BlockMeter, type SoundBlocks } from './block-meter.ts'
import { NoiseListener } from './noise-profile.ts'
import type { SoundRequest } from './prepare-sound.ts'
import { makeSharedFile, recordSound } from './record-sound.ts'
import { reduceNoise } from './reduce-noise.ts'
import { joinedSound, toSamples } from './sound-graph.ts'
import { needsSpeech } from './sound-request.ts'
import { speechSoundPath, type SpeechSound } from './speech-sound.ts'
import type { VoiceActivity } from './voice-activity.ts'

export const soundPath = 'sound.f32'

export type RecordedTimeline = {
  /** Of the whole timeline, after noise removal. */
  readonly blocks: SoundBlocks
  readonly speech: SpeechSound | undefined
}

/** Decodes the sound of the joined timeline once; what speech models hear of it is raw. */
export async function recordTimeline(
  context: ToolContext,
  request: SoundRequest,
  timeline: Timeline,
): Promise<RecordedTimeline> {
  const { options, voices, isTranscribed } = request
  if (!needsSpeech(options, isTranscribed)) {
    return { blocks: await recordBlocks(context, request, timeline), speech: undefined }
  }
  const file = path.join(context.folder, speechSoundPath)
  await makeSharedFile(file)
  const listening = options.removeSilence ? voices.listen(file, context.signal) : undefined
  try {
    const blocks = await recordBlocks(context, request, timeline, () => listening?.grown())
    const activity = await listening
      ?.finish()
      .catch((error: unknown): VoiceActivity | undefined => {
        context.signal.throwIfAborted()
        request.onFault(error)
        return undefined
      })
    const samples = Math.floor((await stat(file)).size / Float32Array.BYTES_PER_ELEMENT)
    return { blocks, speech: { path: speechSoundPath, samples, activity } }
  } finally {
    await listening?.stop()
  }
}

/** One pass when the sound is only measured; two when noise has to be known before it can go. */
async function recordBlocks(
  context: ToolContext,
  { clips, options, isTranscribed, onProgress }: SoundRequest,
  timeline: Timeline,
  onGrowth?: () => void,
): Promise<SoundBlocks> {
  const seconds = timeline.totalFrames / fpsOf(timeline.frameRate)
  const meter = new BlockMeter()
  const noise = options.removeNoise ? new NoiseListener(clipEnds(timeline)) : undefined
  await recordSound(context, {
    sound: joinedSound(clips, timeline),
    path: soundPath,
    withSpeech: needsSpeech(options, isTranscribed),
    maxSeconds: seconds + 1,
    onSeconds: (done) => {
      onGrowth?.()
      onProgress((done / seconds) * (noise ? 0.5 : 0.9))
    },
    onSamples: (samples) => (noise ?? meter).push(samples),
  })
  if (noise) {
    const file = path.join(context.folder, soundPath)
    await reduceNoise(file, noise.finish(), context.signal, (samples) => meter.push(samples))
  }
  onProgress(0.9)
  return meter.finish()
}

/** In samples of the recording. */
function clipEnds({ clipFrames, frameRate }: Timeline): number[] {
  let frames = 0
  return clipFrames.map((count) => {
    frames += count
    return toSamples({ from: 0, to: frames }, frameRate).to
  })
}
