import { stat } from 'node:fs/promises'
import path from 'node:path'
import { compileArgs } from '../ffmpeg/compile-args.ts'
import type { Stream } from '../ffmpeg/filter-graph.ts'
import { runFfmpeg } from '../ffmpeg/run-ffmpeg.ts'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import { openSound, type PreparedSound } from '../render/prepared-sound.ts'
import type { Clip } from '../render/render-state.ts'
import { soundOf } from '../render/standard-sound.ts'
import { timelineOf } from '../render/timeline.ts'
import { joinedSound } from '../sound/sound-graph.ts'
import type { SpeechAudio } from '../speech/speech-provider.ts'

export type SpokenSources = {
  readonly clips: readonly Clip[]
  readonly sound?: PreparedSound | undefined
}

const speechPath = 'speech.mp3'
/** Ten minutes are 4.8 MB; at the 24 kbit/s that the encoder would choose, consonants suffer. */
const coding = ['-c:a', 'libmp3lame', '-b:a', '64k', '-ar', '16000', '-ac', '1']

/**
 * The sound of the finished timeline, without added sounds, as speech models want it; undefined when no clip has any.
 * Before its level is raised or lowered, which no model minds.
 */
export async function recordSpeechSound(
  context: ToolContext,
  sources: SpokenSources,
  durationSeconds: number,
): Promise<SpeechAudio | undefined> {
  const stream = finalSound(sources)
  if (!stream) return undefined
  const { threads, maxPixels } = context
  const muxing = ['-t', durationSeconds.toFixed(3), '-f', 'mp3']
  const tracks = [{ stream, coding }]
  const command = compileArgs({ tracks, muxing, path: speechPath, threads, maxPixels })
  await runFfmpeg(context, command, () => undefined)
  const file = path.join(context.folder, speechPath)
  const { size } = await stat(file)
  return size === 0 ? undefined : { path: file, durationSeconds, sizeBytes: size }
}

function finalSound({ clips, sound }: SpokenSources): Stream<'audio'> | undefined {
  if (sound) return openSound(sound)
  if (clips.every((clip) => soundOf(clip) === undefined)) return undefined
  return joinedSound(clips, timelineOf(clips))
}
