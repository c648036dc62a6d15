import type { MediaFacts } from '../../timeline/media-facts.ts'
import { measureMedia } from '../../ffmpeg/measure-media.ts'
import { atMost } from '../at-most.ts'
import type { JobContext } from '../job-context.ts'

const measuredAtOnce = 2

/** Measures all fetched files, in their order. */
export async function measureSources(
  context: JobContext,
  files: readonly string[],
  onProgress: (share: number) => void,
): Promise<MediaFacts[]> {
  const { job, settings, signal, tools, during } = context
  let measured = 0
  const items = files.map((file, i) => ({ file, field: job.inputs[i]?.field ?? 'file' }))
  return atMost(measuredAtOnce, items, signal, async ({ file, field }, either) => {
    const request = { path: file, field, maxSeconds: settings.MAX_SOURCE_SECONDS }
    const facts = await during({ field, doing: 'reading this file' }, async () =>
      measureMedia({ ...tools, signal: either }, request),
    )
    measured += 1
    onProgress(measured / files.length)
    return facts
  })
}
