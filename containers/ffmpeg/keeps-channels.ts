import { guardedInput } from '../graph/compile-args.ts'
import { linesOf } from './lines-of.ts'
import { runTool, type ToolContext } from './run-tool.ts'

export type SoundTrack = {
  readonly path: string
  readonly demuxer: string
  readonly streamIndex: number
  readonly codec: string
}

/** Every packet of these says how many channels it holds; of others the header says it for all. */
const looseCodecs = ['ac3', 'eac3', 'dts', 'mp2', 'mp3']

/** Whether a sound has the same channels and the same rate from its start to its end. Decodes it where that may differ. */
export async function keepsChannels(context: ToolContext, track: SoundTrack): Promise<boolean> {
  if (!looseCodecs.includes(track.codec)) return true
  const shapes = new Set<string>()
  const feed = linesOf((line) => {
    if (line !== '') shapes.add(line)
  })
  const entries = ['-show_entries', 'frame=sample_rate,channels', '-of', 'compact=p=0']
  const args = [
    ...['-v', 'error', '-select_streams', String(track.streamIndex), ...entries],
    ...guardedInput(track.path, track.demuxer),
  ]
  await runTool(context, 'ffprobe', args, (chunk) => {
    feed(chunk)
    return true
  })
  return shapes.size < 2
}
