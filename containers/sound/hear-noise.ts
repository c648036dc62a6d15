import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import { NoiseListener } from './noise-profile.ts'
import { reduceNoise } from './reduce-noise.ts'
import { VoiceListener } from './voice-gains.ts'

const voicePath = 'voice-gains.u8'

/** Hears what noise there is while a sound is decoded into its file, and takes it out afterwards. */
export type HeardNoise = {
  push(samples: Float32Array): void
  /** Shows every cleaned piece to `onSamples`. */
  reduce(onSamples: (samples: Float32Array) => void): Promise<void>
  close(): void
}

/** `clipEnds` in samples: noise is known for each clip apart. */
export async function hearNoise(
  { folder, signal }: ToolContext,
  soundPath: string,
  clipEnds: readonly number[],
): Promise<HeardNoise> {
  const files = { sound: path.join(folder, soundPath), voiceGains: path.join(folder, voicePath) }
  const noise = new NoiseListener(clipEnds)
  const voice = await VoiceListener.open(files.voiceGains, clipEnds)
  return {
    push(samples) {
      noise.push(samples)
      voice.push(samples)
    },
    async reduce(onSamples) {
      const known = { profile: noise.finish(), treatmentAt: await voice.finish() }
      await reduceNoise(files, known, signal, onSamples)
      await rm(files.voiceGains)
    },
    close: () => voice.close(),
  }
}
