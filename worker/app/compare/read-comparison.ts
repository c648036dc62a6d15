import type { VideoRecord } from '../../contract/video/video-record.ts'
import { readKeptJob } from '../../http/videos/get-job.ts'
import { describeVideo, type LinkMaker } from '../../service/videos/describe-video.ts'
import type { Env } from '../../settings.ts'
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
  /** Why only the result can be shown, where there is no line on which both lie. */
  line: LineUp | { missing: string }
}

/** Undefined if the account does not have this video, or if it made nothing that is seen or heard for a time. */
export async function readComparison(
  env: Env,
  { accountId, videoId }: { accountId: string; videoId: string },
  linkTo: LinkMaker,
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
  return { record, result, plan, line: lineUp(kept.video, { record, result, plan }) }
}

function lineUp(
  video: ShownVideo,
  { record, result: { output }, plan }: Omit<Comparison, 'line'>,
): Comparison['line'] {
  const missing = whyNoSource(video) ?? whyNoLine(plan)
  const [source] = plan?.sources ?? []
  if (missing !== undefined || !plan || !source) return { missing: missing ?? unknown }
  return {
    seconds: source.durationSeconds,
    resultSeconds: output?.duration ?? record.videoMetadata?.duration ?? 0,
    speed: record.speed ?? 1,
    begins: output?.startTime ?? 0,
    cuts: plan.cuts.list.map(({ startTime, endTime, resultTime, why }) => [
      startTime,
      Math.min(endTime, source.durationSeconds),
      resultTime,
      why,
    ]),
    ...(source.audio === null && { isSilent: true }),
  }
}

function whyNoSource({ request, source, sourceDeletedAt, sourceExpiresAt }: ShownVideo) {
  if (request.files) return joinedOf(request.files.length)
  if (!source) return 'Its source came from an address, and Spool keeps no copy of it.'
  if (sourceDeletedAt === null) return undefined
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
