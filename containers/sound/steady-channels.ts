import { compileArgs } from '../graph/compile-args.ts'
import { inputFile, pipeAll, streamOf } from '../graph/filter-graph.ts'
import { runFfmpeg } from '../ffmpeg/run-ffmpeg.ts'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import type { Clip } from '../timeline/clip.ts'
import { channels, sampleRate } from './pcm.ts'

/**
 * Recordings of television go from stereo to 5.1 and back. ffmpeg starts its whole graph again each time, and every
 * count of samples in it starts at zero: such a sound is first written down in stereo, where nothing counts, with its times.
 */
export async function steadyChannels(
  context: ToolContext,
  clips: readonly Clip[],
): Promise<Clip[]> {
  const steady: Clip[] = []
  for (const [i, clip] of clips.entries()) steady.push(await inStereoFile(context, clip, i))
  return steady
}

async function inStereoFile(context: ToolContext, clip: Clip, place: number): Promise<Clip> {
  const { audio, facts } = clip
  if (!audio || !facts.audio) return clip
  const name = `steady${place}.mka`
  const { threads, maxPixels } = context
  const stream = pipeAll(audio, [
    ['aformat', { sample_fmts: 'fltp' }],
    ['aformat', { sample_fmts: 'fltp', channel_layouts: 'stereo' }],
  ])
  const coding = ['-c:a', 'pcm_f32le', '-ar', String(sampleRate), '-ac', String(channels)]
  const muxing = ['-fflags', '+bitexact', '-f', 'matroska']
  const tracks = [{ stream, coding }]
  const command = compileArgs({ tracks, muxing, path: name, threads, maxPixels })
  await runFfmpeg(context, command, () => undefined)
  const heard = { ...facts.audio, channels, sampleRate }
  return {
    ...clip,
    audio: streamOf(inputFile(name, 'matroska'), 'audio', 0),
    facts: { ...facts, audio: heard },
  }
}
