import type { VideoRecord } from '../../contract/video/video-record.ts'
import { readKeptJob } from '../../http/videos/get-job.ts'
import { describeVideo, type LinkMaker } from '../../service/videos/describe-video.ts'
import { findSourceUrl } from '../../service/videos/source-of-video.ts'
import { readSettings, type Env } from '../../settings.ts'
import { findJobOfVideo } from '../../store/jobs/jobs.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'
import { formatCount, formatMoment } from '../design/formats.ts'
import { shownResult, type ShownResult } from '../videos/shown-result.ts'
import { readPlan, type ShownPlan } from '../videos/read-plan.ts'
import type { LineUp } from './line-up.ts'

/** A finished result and what it was made of. */
export type Comparison = {
  record: VideoRecord
  result: ShownResult
  plan: ShownPlan | undefined
  /** The line on which both lie, and where the reader's browser finds the source; or why only the result can be shown. */
  lined: { line: LineUp; sourceUrl: string } | { missing: string }
}

type Reader = {
  linkTo: LinkMaker
  /** Where this reader finds a source that the service keeps. */
  keptSource: string
  /** Whether the reader may learn the address from which a source came, which may contain a key. */
  mayLearnAddress: boolean
}

/** Undefined if the account does not have this video, or if it made nothing that is seen or heard for a time. */
export async function readComparison(
  env: Env,
  { accountId, videoId }: { accountId: string; videoId: string },
  { linkTo, keptSource, mayLearnAddress }: Reader,
): Promise<Comparison | undefined> {
  const find = async () => findJobOfVideo(env.DB, accountId, videoId)
  // A video leaves the database only when its files are gone.
  const kept = await readKeptJob(env, find, async () => Promise.resolve(undefined))
  if (!kept) return undefined
  const record = await describeVideo(kept.video, linkTo)
  const result = shownResult(record)
  if (!result) return undefined
  const plans = kept.record.attempts.map(({ plan }) => readPlan(plan))
  const plan = plans.findLast((one) => one !== undefined)
  const found = { record, result, plan }
  const source = await sourceFor(env, kept.video, { keptSource, mayLearnAddress })
  return { ...found, lined: lineUp(found, source, kept.video.source === null) }
}

type SourceForReader = { url: string } | { missing: string }

/** Where a reader's browser finds the only source of the video, or why it finds none. */
async function sourceFor(
  env: Env,
  video: ShownVideo,
  { keptSource, mayLearnAddress }: Omit<Reader, 'linkTo'>,
): Promise<SourceForReader> {
  const { request, source, sourceExpiresAt } = video
  if (request.files) return { missing: joinedOf(request.files.length) }
  const isAllowed = source !== null || mayLearnAddress
  const asked = { video, kept: keptSource }
  const url = isAllowed ? await findSourceUrl(env, readSettings(env), asked) : undefined
  if (url !== undefined) return { url }
  if (source) {
    const until =
      sourceExpiresAt === null
        ? ''
        : ` It was kept until ${formatMoment(new Date(sourceExpiresAt).toISOString())}.`
    return { missing: `Its source is no longer kept.${until}` }
  }
  return { missing: mayLearnAddress ? storageClosed : addressKept }
}

const addressKept = 'Its source is at an address, which is shown only to people of the account.'
const storageClosed = 'Its source lies in a storage that Spool can no longer read.'

function lineUp(
  { record, result: { output }, plan }: Omit<Comparison, 'lined'>,
  found: SourceForReader,
  isElsewhere: boolean,
): Comparison['lined'] {
  if ('missing' in found) return found
  const missing = whyNoLine(plan)
  const [source] = plan?.sources ?? []
  if (missing !== undefined || !plan || !source) return { missing: missing ?? unknown }
  const line = {
    seconds: source.durationSeconds,
    resultSeconds: output?.duration ?? record.videoMetadata?.duration ?? 0,
    speed: record.speed ?? 1,
    begins: output?.startTime ?? 0,
    cuts: plan.cuts.list.map(
      ({ startTime, endTime, resultTime, why }) =>
        [startTime, Math.min(endTime, source.durationSeconds), resultTime, why] as const,
    ),
    ...(source.audio === null && { isSilent: true }),
    ...(isElsewhere && { isElsewhere }),
  }
  return { line, sourceUrl: found.url }
}

const joinedOf = (clips: number) =>
  `It was joined from ${formatCount(clips, 'clip')}, so there is no single source to put beside it.`

const unknown =
  'The plan of its job is no longer kept, so nothing says which moments belong together.'

function whyNoLine(plan: ShownPlan | undefined): string | undefined {
  if (!plan) return unknown
  if (plan.sources.length > 1) return joinedOf(plan.sources.length)
  return plan.cuts.unlisted > 0
    ? 'It has more cuts than its job lists, so nothing says which moments belong together.'
    : undefined
}
