import path from 'node:path'
import { readdir, rm } from 'node:fs/promises'
import { DiskError, isDiskFull, toJobError } from '../../errors/job-error.ts'
import { retried } from '../../errors/retried.ts'
import { roomLeft } from '../disk-room.ts'
import type { HeadLimits } from './tables-of.ts'
import { progressOf, type Fetched, type JobContext, type JobRun } from '../job-context.ts'
import { fetchInputs } from './fetch-inputs.ts'
import { ownService } from './own-service.ts'
import { transferDefaults } from './transfer-limits.ts'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import type { Fetchable } from './fetch-faults.ts'
import {
  addressesBeside,
  replacedField,
} from '../../../worker/contract/addresses/addresses-beside.ts'
import { textFileLimits } from '../../../worker/contract/limits.ts'

/** The parts of a job that fetching needs. */
type FetchContext = Pick<JobRun, 'job' | 'settings'> &
  Pick<JobContext, 'signal' | 'reporter'> & {
    readonly folder: string
    /** For a plan, which reads only the parts of a file that tell about it. */
    readonly heads?: HeadLimits
  }

/** Disk space is usually free again within minutes. While a job waits for it, others may use its slot. */
const roomPausesMs = [2_000, 5_000, 10_000, 20_000, 30_000]

/** Fetches as soon as the disk has room; throws if it has none for a long time. */
async function fetchWhenRoom(
  { folder, signal }: Pick<FetchContext, 'folder' | 'signal'>,
  fetchAll: () => Promise<string[]>,
): Promise<string[]> {
  const waitAfter = (error: unknown, pauseMs: number | undefined): number => {
    if (pauseMs === undefined || !(error instanceof DiskError)) throw error
    return pauseMs
  }
  return retried({ pausesMs: roomPausesMs, signal, waitAfter }, async () => {
    try {
      return await fetchAll()
    } catch (error) {
      const failure = isDiskFull(error) ? toJobError(error) : error
      // The part that has arrived would take disk space from other jobs.
      if (failure instanceof DiskError) await emptyFolder(folder)
      throw failure
    }
  })
}

async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder)
  await Promise.all(names.map(async (name) => rm(path.join(folder, name), { force: true })))
}

/** Fetches everything that the job needs into its folder. */
export async function fetchSources(context: FetchContext): Promise<Fetched> {
  const { job, settings, signal, folder, heads } = context
  const elementFiles = listElementFiles(job)
  const besideFiles = listBesideFiles(job)
  const inputs = [...job.inputs, ...elementFiles, ...besideFiles]
  const limits = {
    ...transferDefaults,
    allowedHosts: settings.ALLOW_PRIVATE_HOSTS,
    own: ownService(job.reports.url, settings),
    tellsPrivateFaults: settings.REACH === 'owner',
    maxSourceBytes: settings.MAX_SOURCE_BYTES,
    maxJobInputBytes: settings.MAX_JOB_INPUT_BYTES,
  }
  const partial: string[] = []
  const scratch = { folder, minFreeBytes: settings.MIN_FREE_BYTES }
  const names = await fetchWhenRoom(context, async () =>
    fetchInputs({
      inputs: inputs.map((input) => ({ ...input, ...(heads && { heads }) })),
      folder,
      signal,
      // Assumes that the result is as large as its inputs.
      limits: { ...limits, roomBytes: (await roomLeft(scratch)) / 2 },
      onProgress: progressOf(context, 'fetching'),
      onHead: (name) => partial.push(name),
    }),
  )
  const elements = (job.options.elements ?? []).map((_element, i) => {
    const place = elementFiles.findIndex((file) => file.elements.includes(i))
    return place < 0 ? undefined : names[job.inputs.length + place]
  })
  const others = names.slice(job.inputs.length + elementFiles.length)
  const beside = new Map(
    besideFiles.flatMap(({ fields }, i) => {
      const name = others[i]
      return name === undefined ? [] : fields.map((field) => [field, name] as const)
    }),
  )
  return { sources: names.slice(0, job.inputs.length), elements, beside, partial }
}

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

/** A file that the options name besides sources and the media of elements. */
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

/** Lists the other files to fetch, each address once. */
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
