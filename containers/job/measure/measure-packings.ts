import { measurePacking, type Packing } from '../../ffmpeg/measure-packing.ts'
import { mayBeRow } from '../../render/copy-row.ts'
import { storedStream } from '../../render/stored-stream.ts'
import type { Clip } from '../../timeline/clip.ts'
import { atMost } from '../at-most.ts'
import type { JobContext } from '../job-context.ts'

const measuredAtOnce = 2
/** For all clips together: hours of video, and some dozens of megabytes of memory. */
const mostPackets = 2_000_000

/** Finds how the pictures of the clips of a join are stored; undefined if they will be encoded in any case. */
export async function measurePackings(
  { job, signal, tools }: JobContext,
  clips: readonly Clip[],
): Promise<Packing[] | undefined> {
  const { compressionQuality, outputFormat } = job.options
  if (compressionQuality < 100 || !mayBeRow(clips, outputFormat)) return undefined
  const share = Math.floor(mostPackets / clips.length)
  return atMost(measuredAtOnce, clips, signal, async ({ video, facts }, either) =>
    measurePacking({ ...tools, signal: either }, storedStream(video).from.path, facts, share),
  )
}
