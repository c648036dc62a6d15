import { rm } from 'node:fs/promises'
import path from 'node:path'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { compileArgs } from '../../graph/compile-args.ts'
import type { VoiceDetector } from '../../sound/pauses/voice-activity.ts'
import { withSpeechSamples } from '../../sound/read-speech.ts'
import { makeSharedFile } from '../../sound/record-sound.ts'
import { asSpeech, speechRate } from '../../sound/speech-sound.ts'
import { soundOf, standardSound } from '../../sound/standard-sound.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { HeardVoice } from '../../timeline/seen-shots.ts'

/** Below this probability, the detector hears no voice. */
const leastProbability = 0.4

type VoiceHearing = {
  readonly voices: VoiceDetector
  /** The name of the file that is written for it. */
  readonly name: string
  /** Called if the voice detector failed. */
  readonly onFault: (error: unknown) => void
  readonly onSeconds: (seconds: number) => void
}

/** How loudly somebody speaks at each moment of a clip; undefined if it has no sound, or if the detector failed. */
export async function hearVoice(
  tools: ToolContext,
  clip: Clip,
  { voices, name, onFault, onSeconds }: VoiceHearing,
): Promise<HeardVoice | undefined> {
  const sound = soundOf(clip)
  if (!sound) return undefined
  const file = path.join(tools.folder, name)
  const { threads, maxPixels } = tools
  const seconds = clip.facts.durationSeconds
  await makeSharedFile(file)
  const listening = voices.listen(file, tools.signal)
  try {
    const command = compileArgs({
      tracks: [{ stream: asSpeech(standardSound(sound)), coding: ['-c:a', 'pcm_f32le'] }],
      muxing: ['-t', seconds.toFixed(3), '-f', 'f32le'],
      ...{ path: name, threads, maxPixels },
    })
    await runFfmpeg(tools, command, ({ outSeconds }) => {
      listening.grown()
      onSeconds(outSeconds)
    })
    const heard = await listening.finish().catch((error: unknown) => {
      tools.signal.throwIfAborted()
      onFault(error)
    })
    if (!heard) return undefined
    const { probabilities, blockSamples } = heard
    const levels = await levelsOf(file, probabilities, blockSamples)
    return { stepSeconds: blockSamples / speechRate, levels }
  } finally {
    await listening.stop()
    await rm(file, { force: true })
  }
}

/** Blocks whose samples are in memory at once. */
const blocksAtOnce = 4096

async function levelsOf(
  file: string,
  probabilities: Float32Array,
  blockSamples: number,
): Promise<Float32Array> {
  const levels = new Float32Array(probabilities.length)
  await withSpeechSamples(file, async (read) => {
    for (let from = 0; from < levels.length; from += blocksAtOnce) {
      const to = Math.min(levels.length, from + blocksAtOnce)
      const samples = await read({ from: from * blockSamples, to: to * blockSamples })
      for (let block = from; block < to; block++) {
        const begin = (block - from) * blockSamples
        const power = samples
          .subarray(begin, begin + blockSamples)
          .reduce((sum, sample) => sum + sample * sample, 0)
        const isVoice = (probabilities[block] ?? 0) >= leastProbability
        levels[block] = isVoice ? Math.sqrt(power / blockSamples) : 0
      }
    }
  })
  const loud = levels.filter((level) => level > 0).sort()
  const ordinary = loud[Math.floor(loud.length * 0.75)] ?? 1
  return levels.map((level) => Math.min(1, level / ordinary))
}
