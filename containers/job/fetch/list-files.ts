import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import type { Fetchable } from './fetch-faults.ts'
import {
  addressesBeside,
  replacedField,
} from '../../../worker/contract/addresses/addresses-beside.ts'
import { textFileLimits } from '../../../worker/contract/limits.ts'

/** One file that elements need. */
type ElementFile = Fetchable & {
  /** The elements that use it. */
  readonly elements: readonly number[]
}

/** Lists the files to fetch for the elements: each address once, even if several elements use it. */
export function listElementFiles(job: Pick<MediaJob, 'options' | 'elementSources'>): ElementFile[] {
  const files = new Map<string, ElementFile>()
  for (const [i, element] of (job.options.elements ?? []).entries()) {
    if (!('url' in element)) continue
    const { url, origin } = job.elementSources?.[i] ?? { url: element.url, origin: 'customer' }
    const key = `${origin} ${url}`
    const known = files.get(key)
    const elements = [...(known?.elements ?? []), i]
    const first = { field: `elements[${i}].url`, url, origin, failure: 'element_unusable' } as const
    files.set(key, { ...(known ?? first), elements })
  }
  return [...files.values()]
}

/** One file that options name beside sources and the media of elements. */
type BesideFile = Fetchable & {
  /** The fields that name it. */
  readonly fields: readonly string[]
}

/** A picture or a sound may be as large as any source. */
function kindOf(field: string): 'font' | 'lut' | 'caption' | 'media' {
  if (field.endsWith('.font')) return 'font'
  if (field.endsWith('background') || field === replacedField) return 'media'
  return field === 'color.lutUrl' ? 'lut' : 'caption'
}

/** Lists the files beside to fetch, each address once. */
export function listBesideFiles(job: Pick<MediaJob, 'options' | 'beside'>): BesideFile[] {
  const files = new Map<string, BesideFile>()
  for (const named of addressesBeside(job.options)) {
    const { field } = named
    const located = job.beside?.find((one) => one.field === field)
    const { url, origin } = located ?? { ...named, origin: 'customer' as const }
    const kind = kindOf(field)
    const maxBytes = kind === 'media' ? undefined : textFileLimits[`${kind}Bytes`]
    const known = files.get(`${kind} ${url}`)
    const fields = [...(known?.fields ?? []), field]
    const first = {
      ...({ field, url, origin, failure: 'element_unusable' } as const),
      ...(maxBytes && { maxBytes }),
    }
    files.set(`${kind} ${url}`, { ...(known ?? first), fields })
  }
  return [...files.values()]
}
