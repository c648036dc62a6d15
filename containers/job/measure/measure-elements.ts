import { measureElement } from '../../ffmpeg/measure-element.ts'
import type { MediaType } from '../../ffmpeg/measure-element.ts'
import type { ElementMedia } from '../../render/elements/open-element.ts'
import { atMost } from '../at-most.ts'
import type { JobContext } from '../job-context.ts'

const measuredAtOnce = 2

/**
 * Measures the files of the elements, each file once for every type that it is used as; in the order of the elements.
 */
export async function measureElements(
  { job, settings, signal, tools, during }: JobContext,
  files: readonly (string | undefined)[],
): Promise<(ElementMedia | undefined)[]> {
  const wanted = new Map<string, { file: string; type: MediaType; index: number }>()
  const keys = (job.options.elements ?? []).map(({ type }, index) => {
    const file = files[index]
    if (file === undefined || type === 'text') return ''
    const key = `${type} ${file}`
    if (!wanted.has(key)) wanted.set(key, { file, type, index })
    return key
  })
  const measured = await atMost(
    measuredAtOnce,
    [...wanted.entries()],
    signal,
    async ([key, { file, type, index }], either): Promise<[string, ElementMedia]> => {
      const field = `elements[${index}].url`
      const maxSeconds = settings.MAX_SOURCE_SECONDS
      const facts = await during({ field, doing: 'reading this file' }, async () =>
        measureElement({ ...tools, signal: either }, { path: file, type, field, maxSeconds }),
      )
      return [key, { path: file, facts }]
    },
  )
  const media = new Map(measured)
  return keys.map((key) => media.get(key))
}
