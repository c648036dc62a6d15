import path from 'node:path'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { DecodedSound } from '../../sound/prepare-sound.ts'
import { withSpeechSamples } from '../../sound/read-speech.ts'
import type { Speech } from '../../timeline/speech.ts'
import type { Providers } from '../choose-providers.ts'
import type { SpokenSources } from '../record-speech-sound.ts'
import { heldSounds, spokenSounds } from './held-sounds.ts'
import { voicedSounds, wordlessSounds } from './hear-again.ts'
import { fillersAlone, unexplainedSounds, type FillerSounds } from './unexplained-sounds.ts'

export type FillerSources = SpokenSources & {
  /** Not cut yet. */
  readonly sound: DecodedSound
  readonly speech: Speech
}

/**
 * Finds fillers by their sound. Those that the recogniser did not write are a vowel that is held between two pauses, by the
 * voice that speaks there, in which nobody hears a word. Those that it wrote have to be heard between two pauses too,
 * because its times are not exact enough to cut a filler out of speech that goes on. Only in English and with the recogniser
 * of this machine: others write fillers and their times, or would have to be asked again for money.
 */
export async function hearFillers(
  tools: ToolContext,
  sources: FillerSources,
  { speech: provider, voices }: Pick<Providers, 'speech' | 'voices'>,
): Promise<FillerSounds> {
  const { sound, speech } = sources
  const { speech: recorded, blocks } = sound
  if (provider.name !== 'local' || speech.language !== 'en' || !recorded) return { unwritten: [] }
  const words = speech.segments.flatMap((segment) => segment.words ?? [])
  const loudness = blocks.loudness.subarray(0, blocks.count)
  const alone = await fillersAlone(loudness, words)
  const sounds = await unexplainedSounds(loudness, words)
  const file = path.join(tools.folder, recorded.path)
  const { written, held } = await withSpeechSamples(file, async (read) => ({
    written: await spokenSounds(alone, words, read),
    held: await heldSounds(sounds, words, read),
  }))
  if (held.length === 0) return { unwritten: [], written }
  const voiced = await voicedSounds(tools, { sounds: held, speech: recorded }, voices)
  if (voiced.length === 0) return { unwritten: [], written }
  const request = { sounds: voiced, sources }
  return { unwritten: await wordlessSounds(tools, request, provider), written }
}
