import type { VideoRecord } from '../../contract/video/video-record.ts'
import { readKeptJob } from '../../http/videos/get-job.ts'
import { describeVideo, type LinkMaker } from '../../service/videos/describe-video.ts'
import { sourceAddress } from '../../service/videos/source-of-video.ts'
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
  const { source } = kept.video
  const own = mayLearnAddress ? await sourceAddress(env, readSettings(env), kept.video) : undefined
  const found = { record, result, plan }
  return { ...found, lined: lineUp(kept.video, found, source ? keptSource : own) }
}

function lineUp(
  video: ShownVideo,
  { record, result: { output }, plan }: Omit<Comparison, 'lined'>,
  sourceUrl: string | undefined,
): Comparison['lined'] {
  const missing = whyNoSource(video, sourceUrl) ?? whyNoLine(plan)
  const [source] = plan?.sources ?? []
  if (missing !== undefined || !plan || !source || sourceUrl === undefined)
    return { missing: missing ?? unknown }
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
    ...(!video.source && { isElsewhere: true }),
  }
  return { line, sourceUrl }
}

function whyNoSource(
  { request, source, sourceDeletedAt, sourceExpiresAt }: ShownVideo,
  sourceUrl: string | undefined,
) {
  if (request.files) return joinedOf(request.files.length)
  if (sourceUrl === undefined)
    return 'Its source is at an address, which is shown only to people of the account.'
  if (!source || sourceDeletedAt === null) return undefined
  const until =
    sourceExpiresAt === null
      ? ''
      : ` It was kept until ${formatMoment(new Date(sourceExpiresAt).toISOString())}.`
  return `Its source is no longer kept.${until}`
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
