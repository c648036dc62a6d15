import { stat } from 'node:fs/promises'
import path from 'node:path'
import { inputFile, streamOf, type Stream } from '../graph/filter-graph.ts'
import { runGraph } from '../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import type { PreparedSound } from '../sound/prepared-sound.ts'
import type { Clip } from '../timeline/clip.ts'
import { soundOf } from '../sound/standard-sound.ts'
import type { CutTimeline } from '../timeline/list-cuts.ts'
import { joinedSound } from '../sound/sound-graph.ts'
import { asSpeech, speechRate, type SpeechSound } from '../sound/speech-sound.ts'
import { speechCoding } from '../speech/speech-mp3.ts'
import type { SpeechAudio, SpeechFormat } from '../speech/speech-provider.ts'
import { heardLength, type HeardSpan } from './carry/choose-heard.ts'
import { keepHeard } from './keep-heard.ts'

/** The sources of the sound. */
export type SpokenSources = CutTimeline & {
  readonly clips: readonly Clip[]
  /** Undefined if nothing else needed the sound decoded. */
  readonly sound: Pick<PreparedSound, 'speech'> | undefined
}

const recorded: Readonly<Record<SpeechFormat, { path: string; coding: readonly string[] }>> = {
  mp3: { path: 'speech.mp3', coding: speechCoding },
  f32le: { path: 'speech-samples.f32', coding: ['-c:a', 'pcm_f32le'] },
}

/**
 * Records the sound of the raw timeline, without added sounds, as speech models need it; undefined if no clip has
 * sound. It is neither cut nor cleaned, because both cost words, and its level is not changed, because no model needs
 * that.
 */
export async function recordSpeechSound(
  tools: ToolContext,
  sources: SpokenSources,
  { heard, format }: { readonly heard: readonly HeardSpan[]; readonly format: SpeechFormat },
): Promise<SpeechAudio | undefined> {
  if (sources.clips.every((clip) => soundOf(clip) === undefined)) return undefined
  const durationSeconds = heardLength(heard)
  const decoded = format === 'f32le' ? sources.sound?.speech : undefined
  if (decoded) {
    const name = await keepHeard(tools.folder, decoded, heard, tools.signal)
    return audioIn(path.join(tools.folder, name), { format, durationSeconds })
  }
  const stream = await rawSound(tools, sources, heard)
  const { path: name, coding } = recorded[format]
  const muxing = ['-t', durationSeconds.toFixed(3), '-f', format]
  await runGraph(tools, { tracks: [{ stream, coding }], muxing, path: name })
  return audioIn(path.join(tools.folder, name), { format, durationSeconds })
}

async function audioIn(
  file: string,
  about: Pick<SpeechAudio, 'format' | 'durationSeconds'>,
): Promise<SpeechAudio | undefined> {
  const { size } = await stat(file)
  return size === 0 ? undefined : { path: file, ...about }
}

async function rawSound(
  { folder, signal }: ToolContext,
  { clips, timeline, sound }: SpokenSources,
  heard: readonly HeardSpan[],
): Promise<Stream<'audio'>> {
  if (!sound) return asSpeech(joinedSound(clips, timeline))
  const { speech } = sound
  if (!speech) throw new Error('The sound was prepared without the one that is to be heard')
  return openSpeech({ path: await keepHeard(folder, speech, heard, signal) })
}

function openSpeech({ path: file }: Pick<SpeechSound, 'path'>): Stream<'audio'> {
  return streamOf(inputFile(file, 'f32le', ['-ar', String(speechRate), '-ac', '1']), 'audio', 0)
}
