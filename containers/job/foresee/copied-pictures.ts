import { measurePacking, type Packing } from '../../ffmpeg/measure-packing.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import type { Planned } from '../plan/plan-job.ts'
import { tryForPlan } from '../try-for-plan.ts'

/** Beyond this, a mean rate tells as much, and reading them all takes longer. */
const mostPackets = 300_000

type Stored = { readonly bytes: number; readonly seconds: number }

/**
 * The pictures of a copy whose file does not show all of them: it begins with the first key picture, and what is hidden after
 * that is in it too. Undefined where all is shown, because the file then tells by its size.
 */
export async function copiedPictures(planned: Planned): Promise<Stored | undefined> {
  const { clips, context } = planned
  const [{ video, facts }, ...others] = clips
  if (others.length > 0 || context.isPartial) return undefined
  const { path } = storedStream(video).from
  const packing = await tryForPlan(context, 'The copy', async ({ tools }) =>
    measurePacking(tools, path, facts, mostPackets),
  )
  if (!packing?.hasHidden || !packing.isWhole) return undefined
  return fromKey(packing, facts.video.averageFps)
}

function fromKey({ sizes, keys }: Packing, averageFps: number): Stored {
  const copied = sizes.subarray(Math.max(0, keys.indexOf(1)))
  return { bytes: copied.reduce((sum, size) => sum + size, 0), seconds: copied.length / averageFps }
}
