import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import type { Fetchable } from './fetch-faults.ts'

/** One file that elements need. */
export type ElementFile = Fetchable & {
  /** The elements that use it. */
  readonly elements: readonly number[]
}

/** Lists the files to fetch for the elements: each address once, even if several elements use it. */
export function listElementFiles(job: Pick<MediaJob, 'options' | 'elementSources'>): ElementFile[] {
  const files = new Map<string, ElementFile>()
  for (const [i, element] of (job.options.elements ?? []).entries()) {
    if (element.type === 'text') continue
    const { url, origin } = job.elementSources?.[i] ?? { url: element.url, origin: 'customer' }
    const key = `${origin} ${url}`
    const known = files.get(key)
    const elements = [...(known?.elements ?? []), i]
    const first = { field: `elements[${i}].url`, url, origin, failure: 'element_unusable' } as const
    files.set(key, { ...(known ?? first), elements })
  }
  return [...files.values()]
}
