import type { PartFile, PartJob, PartTry, WorkSpec } from '../../contract/job/part-job.ts'
import { protocolVersion } from '../../contract/job/media-job.ts'
import { deriveKey } from '../../contract/keyed-hash.ts'
import type { Settings } from '../../settings.ts'
import { AddressSigner } from '../../store/objects/address-signer.ts'
import { partsKey, sourceKey } from '../../store/objects/objects.ts'
import { reachOf } from './reach.ts'

/** The answer to the next report repeats a cancel that was lost, so it arrives within two seconds. */
const heartbeatSeconds = 1.5

type PartClaim = PartTry & { jobId: string; fence: number }

/** The key that signs the reports of a media worker about one try of one part. */
export async function partKey(
  { secret }: Pick<Settings, 'secret'>,
  { jobId, fence, n, try: number }: PartClaim,
): Promise<string> {
  return deriveKey(secret, `part:${jobId}:${fence}:${n}:${number}`)
}

type PartToBuild = {
  claim: PartClaim
  account: string
  spec: WorkSpec
  files: readonly PartFile[]
  /** The upload that is the source of the video. */
  uploadId: string | undefined
}

/** The part as it is sent to this media worker, with addresses that it can reach. */
export async function buildPartJob(
  settings: Settings,
  worker: string,
  { claim, account, spec, files, uploadId }: PartToBuild,
): Promise<PartJob> {
  const { jobId, fence, n, try: number } = claim
  const reach = reachOf(settings, worker)
  const signer = new AddressSigner(settings)
  const read = async ({ name, from }: PartFile) => {
    const isSource = from === 'source' && uploadId !== undefined
    const key = isSource ? sourceKey(uploadId) : partsKey({ jobId, fence }, name)
    return { name, url: await reach.storage(await signer.read(key)) }
  }
  return {
    kind: 'part',
    version: protocolVersion,
    ...{ jobId, account, fence, n, try: number, spec },
    files: await Promise.all(files.map(read)),
    reports: {
      url: `${reach.reportUrl}/internal/jobs/${jobId}/attempts/${fence}/parts/${n}/${number}/reports`,
      key: await partKey(settings, claim),
      heartbeatSeconds,
    },
  }
}
