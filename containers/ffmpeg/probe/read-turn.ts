import { guardedInput } from '../../graph/compile-args.ts'
import type { Turn } from '../../timeline/media-facts.ts'
import { readSections } from './probe-sections.ts'
import { readTool, type ToolContext } from '../process/run-tool.ts'

/**
 * Reads how a stream is turned whose pictures say so themselves, in a display orientation message of H.264 or HEVC. What
 * the container says counts more: most players look at nothing else.
 */
export async function readTurn(
  context: ToolContext,
  { path, demuxer, streamIndex }: { path: string; demuxer: string; streamIndex: number },
): Promise<Turn | undefined> {
  const entries = 'stream_side_data=displaymatrix:frame_side_data=displaymatrix'
  const { stdout } = await readTool(context, 'ffprobe', [
    ...['-v', 'error', '-threads', '1', '-max_pixels', String(context.maxPixels)],
    ...['-select_streams', String(streamIndex), '-read_intervals', '%+#1'],
    ...['-show_entries', entries, '-of', 'compact', ...guardedInput(path, demuxer)],
  ])
  const turns = new Map<string, Turn>()
  const { feed, finish } = readSections((section) => {
    const [turn] = section.sideData().flatMap((data) => turnIn(data.get('displaymatrix')) ?? [])
    if (turn) turns.set(section.kind, turn)
  })
  feed(stdout)
  finish()
  return turns.get('stream') ?? turns.get('frame')
}

/** Parses three rows such as `00000000:            0      -65536           0`, whose line ends ffprobe escapes. */
function turnIn(matrix: string | undefined): Turn | undefined {
  const rows = [...(matrix ?? '').matchAll(/[0-9a-f]{8}:\s+(-?\d+)\s+(-?\d+)/g)]
  const [[, a, b] = [], [, c, d] = []] = rows
  return d === undefined ? undefined : { a: Number(a), b: Number(b), c: Number(c), d: Number(d) }
}
