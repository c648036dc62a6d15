import path from 'node:path'
import type { ToolContext } from '../../ffmpeg/run-tool.ts'
import type { DecodedSound } from '../../sound/prepare-sound.ts'
import { withSpeechSamples } from '../../sound/read-speech.ts'
import type { Run } from '../../sound/runs.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { Speech } from '../../timeline/speech.ts'
import type { Providers } from '../choose-providers.ts'
import { heldSounds } from './held-sounds.ts'
import { voicedSounds, wordlessSounds } from './hear-again.ts'
import { unexplainedSounds } from './unexplained-sounds.ts'

export type FillerSources = {
  readonly clips: readonly Clip[]
  /** Not cut yet. */
  readonly sound: DecodedSound
  readonly speech: Speech
}

/**
 * Finds fillers that the recogniser did not write, in blocks of the joined timeline: a vowel that is held between two
 * pauses, by the voice that speaks there, in which nobody hears a word. Only in English and with the recogniser of this
 * machine: others write fillers, or would have to be asked again for money.
 */
export async function hearFillers(
  tools: ToolContext,
  { clips, sound, speech }: FillerSources,
  { speech: provider, voices }: Pick<Providers, 'speech' | 'voices'>,
): Promise<Run[]> {
  const { speech: recorded, blocks } = sound
  if (provider.name !== 'local' || speech.language !== 'en' || !recorded) return []
  const words = speech.segments.flatMap((segment) => segment.words ?? [])
  const sounds = await unexplainedSounds(blocks.loudness.subarray(0, blocks.count), words)
  const held = await withSpeechSamples(path.join(tools.folder, recorded.path), (read) =>
    heldSounds(sounds, words, read),
  )
  if (held.length === 0) return []
  const voiced = await voicedSounds(tools, { sounds: held, speech: recorded }, voices)
  if (voiced.length === 0) return []
  return wordlessSounds(tools, { sounds: voiced, sources: { clips, sound } }, provider)
}
