import { guardedInput } from '../graph/compile-args.ts'
import { inputFile, pipeAll, streamOf } from '../graph/filter-graph.ts'
import { runGraph } from '../ffmpeg/process/run-ffmpeg.ts'
import { readTool, type ToolContext } from '../ffmpeg/process/run-tool.ts'
import type { ProcessingOptions } from '../../worker/contract/options/options.ts'
import { changeClips } from '../timeline/change-clips.ts'
import type { Clip, Clips } from '../timeline/clip.ts'
import { keepsChannels } from '../ffmpeg/keeps-channels.ts'
import { demuxers } from '../ffmpeg/measure-media.ts'
import { channels, workedRate } from './dsp/pcm.ts'
import { bringsSound } from './sound-request.ts'

/**
 * Television recordings may switch between stereo and 5.1. ffmpeg restarts its whole graph each time, and every sample
 * count in it starts at zero. Such a sound is first stored in stereo with its times, by a graph that counts no samples.
 */
export async function steadyChannels(tools: ToolContext, clips: readonly Clip[]): Promise<Clip[]> {
  const steady: Clip[] = []
  for (const [i, clip] of clips.entries()) steady.push(await inStereoFile(tools, clip, i))
  return steady
}

async function inStereoFile(tools: ToolContext, clip: Clip, place: number): Promise<Clip> {
  const { audio, facts } = clip
  if (!audio || !facts.audio) return clip
  const name = `steady${place}.mka`
  const stream = pipeAll(audio, [
    ['aformat', { sample_fmts: 'fltp' }],
    ['aformat', { sample_fmts: 'fltp', channel_layouts: 'stereo' }],
  ])
  const coding = ['-c:a', 'pcm_f32le', '-ar', String(workedRate), '-ac', String(channels)]
  const muxing = ['-fflags', '+bitexact', '-f', 'matroska']
  await runGraph(tools, { tracks: [{ stream, coding }], muxing, path: name })
  const late = ['-itsoffset', String(await startOf(tools, name))]
  const heard = { ...facts.audio, codec: 'pcm_f32le', channels, sampleRate: workedRate }
  return {
    ...clip,
    audio: streamOf(inputFile(name, 'matroska', late), 'audio', 0),
    facts: { ...facts, audio: heard },
  }
}

/** How much too early a sound would be heard, because a file is read as if it began at once. */
async function startOf(tools: ToolContext, path: string): Promise<number> {
  const entries = ['-show_entries', 'format=start_time', '-of', 'csv=p=0']
  const args = ['-v', 'error', ...entries, ...guardedInput(path, 'matroska')]
  const { stdout } = await readTool(tools, 'ffprobe', args)
  const seconds = Number.parseFloat(stdout)
  return Number.isFinite(seconds) ? seconds : 0
}

type Mixing = Pick<ProcessingOptions, 'outputFormat' | 'outputs' | 'elements' | 'speed' | 'audio'>

/** Whether a sound may pass through filters while the pictures are made: they would begin at zero again whenever it changes. */
function isFiltered({ outputFormat, outputs, elements = [], speed = 1, audio }: Mixing): boolean {
  const isMixed = elements.some(bringsSound)
  // The others hold at most two channels, or do not say when a sound begins.
  const isKept = outputFormat === 'mp4' || outputFormat === 'mov'
  return isMixed || !isKept || speed !== 1 || (outputs ?? audio) !== undefined
}

/** The same clips: a sound that changes its channels is first written to a file, if it is filtered. */
export async function withSteadySound(
  tools: ToolContext,
  clips: Clips,
  options: Mixing,
): Promise<Clips> {
  if (clips.length === 1 && !isFiltered(options)) return clips
  return changeClips(clips, async (clip, place) => {
    const { audio, facts } = clip
    if (audio?.from.type !== 'input' || !facts.audio) return clip
    const { index: streamIndex, codec } = facts.audio
    const track = { path: audio.from.path, demuxer: demuxers[facts.format], streamIndex, codec }
    return (await keepsChannels(tools, track)) ? clip : inStereoFile(tools, clip, place)
  })
}
