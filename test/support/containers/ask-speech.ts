import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { HearingHelp, SpeechProvider } from '../../../containers/speech/speech-provider.ts'
import type { Speech } from '../../../containers/timeline/speech.ts'
import { aToolContext } from './tool-context.ts'

/** The bytes that a remote provider gets as the sound. */
export const soundBytes = 'ID3 the sound itself'

/** Asks a remote provider for the text of ten seconds of sound. */
export async function askSpeech(
  provider: SpeechProvider,
  signal = new AbortController().signal,
  names: readonly string[] = [],
  speakers?: HearingHelp['speakers'],
): Promise<Speech> {
  const tools = await aToolContext({ signal })
  const file = path.join(tools.folder, 'speech.mp3')
  await writeFile(file, soundBytes)
  const audio = { path: file, format: 'mp3' as const, durationSeconds: 10 }
  return provider.transcribe(audio, tools, { names, speakers })
}
