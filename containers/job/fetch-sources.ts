import { networkInterfaces } from 'node:os'
import { parseOwnHosts, type OwnService } from '../../worker/contract/own-service.ts'
import { roomLeft } from './disk-room.ts'
import { listBesideFiles } from './list-beside.ts'
import { listElementFiles } from './list-elements.ts'
import { progressOf, type FetchedFiles, type JobContext, type JobRun } from './job-context.ts'
import { fetchInputs } from './fetch-inputs.ts'
import { transferDefaults } from './transfer-limits.ts'

/** What fetching needs of a job. */
export type FetchContext = Pick<JobRun, 'job' | 'settings'> &
  Pick<JobContext, 'signal' | 'reporter'> & { readonly folder: string }

/** Fetches everything that the job needs into its folder. */
export async function fetchSources(context: FetchContext): Promise<FetchedFiles> {
  const { job, settings, signal, folder } = context
  const elementFiles = listElementFiles(job)
  const besideFiles = listBesideFiles(job)
  const names = await fetchInputs({
    inputs: [...job.inputs, ...elementFiles, ...besideFiles],
    folder,
    signal,
    limits: {
      ...transferDefaults,
      allowedHosts: settings.ALLOW_PRIVATE_HOSTS,
      own: ownService(context),
      tellsPrivateFaults: settings.PRIVATE_FAULTS === 'told',
      maxSourceBytes: settings.MAX_SOURCE_BYTES,
      maxJobInputBytes: settings.MAX_JOB_INPUT_BYTES,
      totalMs: settings.MAX_FETCH_SECONDS * 1_000,
      // Assumes that the result is as large as its inputs.
      roomBytes: (await roomLeft(folder)) / 2,
    },
    onProgress: progressOf(context, 'fetching'),
  })
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
  return { sources: names.slice(0, job.inputs.length), elements, beside }
}

/** Reads the addresses of this machine again for each job, because networks change. */
function ownService({ job, settings }: FetchContext): OwnService {
  const { origin } = new URL(job.reports.url)
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const hosts = parseOwnHosts(addresses.map(({ address }) => address.replace(/%.*$/, '')).join())
  return { origins: [origin], fileOrigin: origin, ports: settings.OWN_PORTS, hosts }
}
