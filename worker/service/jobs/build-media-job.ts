import { addressesBeside } from '../../contract/addresses/addresses-beside.ts'
import { ourSource } from '../../contract/addresses/own-service.ts'
import { readUploadAddress } from '../../contract/addresses/upload-address.ts'
import { protocolVersion, type MediaInput, type MediaJob } from '../../contract/job/media-job.ts'
import type { Paces } from '../../contract/job/paces.ts'
import {
  optionsSchema,
  processingOptions,
  type ProcessingOptions,
} from '../../contract/options/options.ts'
import { isSound } from '../../contract/options/outputs/outputs.ts'
import type { CreateVideo } from '../../contract/options/create-video.ts'
import { addressesNamed } from '../../contract/storages/named-storages.ts'
import { deriveKey } from '../../contract/keyed-hash.ts'
import type { Settings } from '../../settings.ts'
import { addressPolicy } from '../limits/address-policy.ts'
import { reachOf, type Reach } from './reach.ts'
import type { JobWithVideo } from '../../store/jobs/jobs.ts'
import { AddressSigner } from '../../store/objects/address-signer.ts'
import { signedSource, type SignedSources } from '../storages/sign-sources.ts'
import { sourceKey } from '../../store/objects/objects.ts'
import type { VideoRow } from '../../store/tables/tables.ts'

/** The key that signs the reports about one claim of one job, and nothing else. */
export async function reportKey(settings: Settings, jobId: string, fence: number): Promise<string> {
  return deriveKey(settings.secret, `report:${jobId}:${fence}`)
}

/** The row and the rest of which a job is built. */
export type Buildable = {
  job: Pick<JobWithVideo['job'], 'id' | 'accountId'>
  video: Pick<VideoRow, 'id' | 'name' | 'request' | 'source'>
}

export async function buildMediaJob(
  settings: Settings,
  { job, video }: Buildable,
  {
    worker,
    paces,
    sources,
    ...claim
  }: { fence: number; attempt: number; worker: string; paces: Paces; sources: SignedSources },
): Promise<MediaJob> {
  const options = pickOptions(video.request)
  const reach = reachOf(settings, worker)
  const uploads = await signUploads(settings, video.request, reach)
  const located = (url: string) => {
    const upload = uploads.get(url)
    if (upload !== undefined) return { url: upload, origin: 'storage' as const }
    const signed = signedSource(sources, url)
    // The bucket belongs to the customer, so the media worker checks the address like any other of theirs.
    return signed === undefined
      ? locate(url, settings, reach)
      : { url: signed, origin: 'customer' as const }
  }
  const elementSources = options.elements?.map((element) =>
    'url' in element ? located(element.url) : null,
  )
  const beside = addressesBeside(options).map(({ field, url }) => ({ field, ...located(url) }))
  return {
    version: protocolVersion,
    jobId: job.id,
    videoId: video.id,
    account: job.accountId,
    ...claim,
    inputs: [...(await storedInput(settings, video, reach)), ...listInputs(video.request, located)],
    options,
    ...(options.outputs?.some(({ outputFormat }) => isSound(outputFormat)) && {
      title: video.name,
    }),
    ...(elementSources && { elementSources }),
    ...(beside.length > 0 && { beside }),
    ...(Object.keys(paces).length > 0 && { paces }),
    ...mostOf(video.request, settings),
    reports: {
      url: `${reach.reportUrl}/internal/jobs/${job.id}/attempts/${claim.fence}/reports`,
      key: await reportKey(settings, job.id, claim.fence),
      heartbeatSeconds: Math.min(10, settings.leaseMs / 3000),
    },
  }
}

function mostOf(
  { maxSeconds: seconds, maxPrice: price }: CreateVideo,
  { prices }: Settings,
): Pick<MediaJob, 'most'> {
  return (seconds ?? price) === undefined ? {} : { most: { seconds, price, prices } }
}

/** The source that is stored in the bucket. Every claim gets a new address, for this object only. */
async function storedInput(
  settings: Settings,
  { source }: Pick<VideoRow, 'source'>,
  reach: Reach,
): Promise<MediaInput[]> {
  if (!source) return []
  const url = await signUpload(settings, source.uploadId, reach)
  return [{ field: source.field, url, origin: 'storage' }]
}

/** The same for each `upload://` address of the request. */
async function signUploads(
  settings: Settings,
  request: CreateVideo,
  reach: Reach,
): Promise<ReadonlyMap<string, string>> {
  const signed = new Map<string, string>()
  for (const { url } of addressesNamed(request)) {
    const uploadId = readUploadAddress(url)
    if (uploadId !== undefined) signed.set(url, await signUpload(settings, uploadId, reach))
  }
  return signed
}

async function signUpload(settings: Settings, uploadId: string, reach: Reach): Promise<string> {
  return reach.storage(await new AddressSigner(settings).read(sourceKey(uploadId)))
}

function listInputs(request: CreateVideo, located: (url: string) => Located): MediaInput[] {
  const files = request.files ?? []
  const single = request.fileUrl === undefined ? [] : [{ url: request.fileUrl }]
  return [
    ...single.map(({ url }) => ({ field: 'fileUrl', ...located(url) })),
    ...files.map(({ url, ...rest }, i) => ({
      field: `files[${i}].url`,
      ...located(url),
      ...rest,
    })),
  ]
}

type Located = Pick<MediaInput, 'url' | 'origin'>

/**
 * Only the parsed form of an address is fetched, so that no two parsers can read it differently. What lies at the service
 * itself is fetched from where this media worker reaches it: in a container, 127.0.0.1 is the container.
 */
function locate(url: string, settings: Settings, reach: Reach): Located {
  const named = new URL(url)
  const ours = ourSource(named, addressPolicy(settings).own)
  if (!ours) return { url: named.href, origin: 'customer' }
  const files = reach.files ?? settings.storageUrl
  return { url: (ours.kind === 'file' ? files : reach.reportUrl) + ours.path, origin: 'link' }
}

export function pickOptions(request: CreateVideo): ProcessingOptions {
  const names = Object.keys(processingOptions) as (keyof ProcessingOptions)[]
  return optionsSchema.parse(
    Object.fromEntries(names.flatMap((name) => (name in request ? [[name, request[name]]] : []))),
  )
}
