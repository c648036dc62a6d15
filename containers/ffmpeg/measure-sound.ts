import { sniffFormat } from '../../worker/contract/video/sniff-format.ts'
import { JobError } from '../errors/job-error.ts'
import { guardedGlobals, guardedInput } from '../graph/compile-args.ts'
import type { SoundFacts } from './element-facts.ts'
import { keepsChannels } from './keeps-channels.ts'
import { readHead, wrongKind } from './element-head.ts'
import type { MeasureRequest } from './measure-media.ts'
import { progressReader } from './process/read-progress.ts'
import { readTool, runTool, type ToolContext } from './process/run-tool.ts'

/** The demuxer for each format that the bytes show. */
const soundDemuxers = new Map<string, SoundFacts['demuxer']>([
  ['MP3', 'mp3'],
  ['WAV', 'wav'],
])

/**
 * Measures the file of an audio element. It decodes all of it: the header of an MP3 does not say exactly where the
 * sound ends, and a fade-out must end there.
 */
export async function measureSound(
  context: ToolContext,
  request: MeasureRequest,
): Promise<SoundFacts> {
  const head = await readHead(context.folder, request)
  const found = await sniffFormat(head)
  const demuxer = found.kind === 'other' ? soundDemuxers.get(found.name) : undefined
  if (!demuxer) throw await wrongKind(request, 'an MP3 or WAV sound', head)
  const [{ seconds, stderrTail }, channels] = await Promise.all([
    decodedSeconds(context, request, demuxer),
    channelsOf(context, request, demuxer),
  ])
  if (seconds <= 0 || channels === undefined) {
    throw unusable(request, 'the sound cannot be decoded.', new Error(stderrTail))
  }
  if (seconds > request.maxSeconds) {
    const most = `the ${request.maxSeconds} seconds that are allowed`
    throw unusable(request, `the sound is longer than ${most}.`)
  }
  const track = { path: request.path, demuxer, streamIndex: 0, codec: demuxer }
  if (!(await keepsChannels(context, track))) {
    throw unusable(request, 'the sound changes its number of channels or its sampling rate midway.')
  }
  return { kind: 'sound', demuxer, seconds, channels }
}

function unusable({ field }: MeasureRequest, why: string, cause?: Error): JobError {
  return new JobError('element_unusable', `${field}: ${why}`, { cause })
}

async function channelsOf(
  context: ToolContext,
  { path }: MeasureRequest,
  demuxer: string,
): Promise<number | undefined> {
  const entries = ['-select_streams', '0', '-show_entries', 'stream=channels', '-of', 'csv=p=0']
  const args = ['-v', 'error', ...entries, ...guardedInput(path, demuxer)]
  const { stdout } = await readTool(context, 'ffprobe', args)
  const channels = Number.parseInt(stdout, 10)
  return channels > 0 ? channels : undefined
}

/** Exact to the sample, because it counts the decoded samples. */
async function decodedSeconds(
  context: ToolContext,
  { path, maxSeconds }: MeasureRequest,
  demuxer: string,
): Promise<{ seconds: number; stderrTail: string }> {
  let seconds = 0
  const reader = progressReader(context.limits.stallMs, ({ outSeconds }) => {
    seconds = outSeconds
  })
  const { stderrTail } = await runTool(
    context,
    'ffmpeg',
    [
      ...guardedGlobals,
      ...['-progress', 'pipe:1', '-stats_period', '0.5', '-threads', '1'],
      ...guardedInput(path, demuxer),
      // In both formats the first stream is the sound; a cover picture follows it.
      ...['-map', '0:0', '-af', 'asetpts=N/SR/TB', '-t', String(maxSeconds + 1)],
      ...['-f', 'null', '-'],
    ],
    reader,
  )
  return { seconds, stderrTail }
}
