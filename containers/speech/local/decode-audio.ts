import path from 'node:path'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { runTool, type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { SpeechFailure, type SpeechAudio } from '../speech-provider.ts'
import { sampleRate } from './sound-file.ts'

/**
 * Removes rumble and brings every voice to one level, because the activity detector misses quiet ones. The level is taken of short
 * pieces: they are counted from the beginning of the sound, and long ones would differ in another part of a film.
 */
const conditioning = 'highpass=f=60,dynaudnorm=f=50:g=55:p=0.7:m=10'

/** Decodes the sound into a file of plain samples in the job folder. */
export async function decodeAudio(audio: SpeechAudio, tools: ToolContext): Promise<string> {
  const soundPath = path.join(tools.folder, 'speech.f32')
  const { exitCode, stderrTail } = await runTool(
    tools,
    'ffmpeg',
    [
      ...guardedGlobals,
      ...['-y', '-progress', 'pipe:1', '-stats_period', '0.5', '-threads', '1'],
      ...guardedInput(audio.path, 'mp3'),
      ...['-map', '0:a:0', '-af', conditioning, '-ar', String(sampleRate), '-ac', '1'],
      ...['-f', 'f32le', `file:${soundPath}`],
    ],
    (chunk) => chunk.length > 0,
  )
  if (exitCode === 0) return soundPath
  throw new SpeechFailure('The sound could not be read for transcription.', {
    cause: new Error(`ffmpeg ended with ${exitCode}: ${stderrTail}`),
  })
}
