import path from 'node:path'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { runTool, type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { evenLevel } from './even-level.ts'
import { SpeechFailure, type SpeechAudio, type SpeechFormat } from '../speech-provider.ts'
import { speechRate } from '../../sound/speech-sound.ts'

/** Removes rumble. In 64 bits, what the filter remembers of the beginning of a sound is soon lost to the last bit. */
const rumble = 'highpass=f=60:precision=f64'

const reading: Readonly<Record<SpeechFormat, readonly string[]>> = {
  mp3: [],
  f32le: ['-ar', String(speechRate), '-ac', '1'],
}

/** Writes the sound as the models need it into a file of plain samples in the job folder. */
export async function decodeAudio(audio: SpeechAudio, tools: ToolContext): Promise<string> {
  const soundPath = path.join(tools.folder, 'speech.f32')
  await runSound(tools, [
    ...reading[audio.format],
    ...guardedInput(audio.path, audio.format),
    ...['-map', '0:a:0', '-af', rumble, '-ar', String(speechRate), '-ac', '1'],
    ...['-f', 'f32le', `file:${soundPath}`],
  ])
  await evenLevel(soundPath, tools.signal)
  return soundPath
}

export async function runSound(tools: ToolContext, args: readonly string[]): Promise<void> {
  const { exitCode, stderrTail } = await runTool(
    tools,
    'ffmpeg',
    [
      ...guardedGlobals,
      ...['-y', '-progress', 'pipe:1', '-stats_period', '0.5', '-threads', '1'],
      ...args,
    ],
    (chunk) => chunk.length > 0,
  )
  if (exitCode === 0) return
  throw new SpeechFailure('The sound could not be read for transcription.', {
    cause: new Error(`ffmpeg ended with ${exitCode}: ${stderrTail}`),
  })
}
