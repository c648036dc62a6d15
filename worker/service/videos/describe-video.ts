import { defined } from '../../contract/defined.ts'
import { stillKinds, worstOf, type Check, type ShownCheck } from '../../contract/job/check.ts'
import { fileInFolder, translationKind, type OutputKind } from '../../contract/job/media-job.ts'
import type { TimeLeftRange } from '../../contract/job/paces.ts'
import { ageLeft } from '../../contract/video/say-left.ts'
import { shownDelivery, type ShownDelivery } from '../../contract/storages/destination.ts'
import { unheardLanguage, type WhoSpeaks } from '../../contract/video/transcript.ts'
import type {
  ShownOutput,
  TranscriptRecord,
  VideoRecord,
} from '../../contract/video/video-record.ts'
import { isPhase, isTerminal, type InsightStatus } from '../../contract/video/video-state.ts'
import { expectDeliveries, removedResults } from '../storages/plan-deliveries.ts'
import { storedFile } from '../files/stored-file.ts'
import { withNames } from './name-speakers.ts'
import type { ShownVideo, VideoResult, VideoRow } from '../../store/tables/tables.ts'

/** The fields from which the links of a video are made. */
type LinkedVideo = Pick<VideoRow, 'id' | 'name' | 'result' | 'filesExpireAt'> &
  Partial<Pick<VideoRow, 'transcript'>>

/** Makes the signed address of one file of a video. */
export type LinkMaker = (
  video: LinkedVideo,
  kind: OutputKind,
) => Promise<{ url: string; expiresAt: number } | undefined>

/** The files of a transcript that get a link: its text, and captions for pages that show the video. */
const linkedTranscripts = {
  transcriptUrl: 'transcript-txt',
  vttUrl: 'transcript-vtt',
  srtUrl: 'transcript-srt',
} as const satisfies Record<string, OutputKind>
type TranscriptLinks = Partial<Record<keyof typeof linkedTranscripts, string>>

export async function linkTranscript(video: VideoRow, linkTo: LinkMaker): Promise<TranscriptLinks> {
  const urls: TranscriptLinks = {}
  for (const name of ['transcriptUrl', 'vttUrl', 'srtUrl'] as const) {
    const link = await linkTo(video, linkedTranscripts[name])
    if (link) urls[name] = link.url
  }
  return urls
}

/** The files of captions in other languages, by their language. */
async function linkTranslations(
  video: ShownVideo,
  linkTo: LinkMaker,
): Promise<NonNullable<VideoRecord['translations']>> {
  const asked = video.request.captions?.translateTo ?? []
  const linked = asked.map(async (language) => {
    const [vtt, srt] = await Promise.all(
      (['vtt', 'srt'] as const).map(async (one) => linkTo(video, translationKind(language, one))),
    )
    const urls = { ...(vtt && { vttUrl: vtt.url }), ...(srt && { srtUrl: srt.url }) }
    return vtt || srt ? [{ language, ...urls }] : []
  })
  return (await Promise.all(linked)).flat()
}

/** How long a video still takes, as was said at this moment. */
type ShownLeft = TimeLeftRange & { at: number }

/** Where a queued video stands in line. `startsAt` and `left`: undefined if no past jobs tell them. */
export type ShownPlace = {
  position: number
  startsAt: number | undefined
  left: ShownLeft | undefined
}

/** The fields of a record that depend on when it is read. A video that has ended needs none of them. */
type ReadAt = { now: number; place?: ShownPlace | undefined }

/** The public record of a video: the request from the beginning, and the results once it has ended. */
export async function describeVideo(
  video: ShownVideo,
  linkTo: LinkMaker,
  readAt?: ReadAt,
): Promise<VideoRecord> {
  const state = { ...describeState(video), ...describeTime(video, readAt) }
  // The video may have been renamed since the request.
  const destinations = describeDestinations(video)
  const head = { ...state, ...video.request, videoName: state.videoName, destinations }
  if (!isTerminal(video.status)) return head
  return { ...head, ...(await describeEnd(video, head, linkTo)) }
}

function describeTime(
  { status, startedAt, finishedAt, left }: ShownVideo,
  { now, place }: ReadAt = { now: 0 },
): Partial<VideoRecord> {
  switch (status) {
    case 'queued':
      return place ? describePlace(place, now) : {}
    case 'running':
      return {
        ...(startedAt !== null && { secondsElapsed: seconds(now - startedAt) }),
        ...(left && describeLeft(left, now)),
      }
    default:
      return startedAt === null || finishedAt === null
        ? {}
        : { secondsElapsed: seconds(finishedAt - startedAt) }
  }
}

function describePlace({ position, startsAt, left }: ShownPlace, now: number) {
  return {
    queuePosition: position,
    ...(startsAt !== undefined && { estimatedStartAt: timestamp(startsAt) }),
    ...(left && describeLeft(left, now)),
  }
}

/** A narrower range says no more than the time itself. */
const certain = { ratio: 1.2, seconds: 1 }

export function describeLeft({ at, ...told }: ShownLeft, now: number) {
  const left = ageLeft(told, Math.max(0, now - at) / 1000)
  const [least, most] = [tenths(left.least), tenths(left.most)]
  const isCertain = most <= Math.max(least * certain.ratio, least + certain.seconds)
  return {
    secondsLeft: tenths(left.seconds),
    ...(!isCertain && { secondsLeftRange: { least, most } }),
  }
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

function seconds(ms: number): number {
  return Math.max(0, tenths(ms / 1000))
}

async function describeEnd(
  video: ShownVideo,
  head: VideoRecord,
  makeLink: LinkMaker,
): Promise<Partial<VideoRecord>> {
  // All links of a video end at the same time.
  const links: { expireAt?: number | undefined } = {}
  const linkTo: LinkMaker = async (...asked) => {
    const link = await makeLink(...asked)
    links.expireAt ??= link?.expiresAt
    return link
  }
  const final = await linkTo(video, 'final')
  // Every video has a still for the dashboard; the record shows it only if it was requested.
  const thumbnail = head.enableThumbnail ? await linkTo(video, 'thumbnail') : undefined
  const transcript = await linkTranscript(video, linkTo)
  const outputs = await describeOutputs(video, linkTo)
  const translations = await linkTranslations(video, linkTo)
  const checks = await describeChecks(video, linkTo)
  return {
    warnings: [
      ...(video.result?.warnings ?? []),
      ...sayRemoved(video),
      ...(links.expireAt === undefined ? sayGone(video) : []),
    ],
    ...(head.transcript ? { transcript: { ...head.transcript, ...transcript } } : {}),
    ...(final ? { finalVideoUrl: final.url } : {}),
    ...(thumbnail ? { thumbnailUrl: thumbnail.url } : {}),
    ...(outputs && { outputs }),
    ...(translations.length > 0 && { translations }),
    ...(video.result ? describeResult(video.result) : {}),
    ...checks,
    ...explainFailure(video),
    ...(links.expireAt !== undefined && { linksExpireAt: timestamp(links.expireAt) }),
    ...(hasFiles(video) && video.filesExpireAt !== null
      ? { filesExpireAt: timestamp(video.filesExpireAt) }
      : {}),
    ...(video.sourceExpiresAt !== null && video.sourceDeletedAt === null
      ? { sourceExpiresAt: timestamp(video.sourceExpiresAt) }
      : {}),
  }
}

/** The requested outputs and what was made of them, in one list; undefined if the request names none. */
async function describeOutputs(
  video: ShownVideo,
  linkTo: LinkMaker,
): Promise<ShownOutput[] | undefined> {
  const { request, result } = video
  if (!result?.named) return undefined
  const shown: ShownOutput[] = []
  for (const made of result.named) {
    const asked = request.outputs?.find(({ name }) => name === made.name)
    const { kind, files: kinds = [], checks, ...facts } = made
    const link = await linkTo(video, kind)
    const files = await describeFiles(video, kinds, linkTo)
    const bytes = files.reduce(
      (sum, file) => sum + file.bytes,
      result.outputs[kind]?.sizeBytes ?? 0,
    )
    shown.push({
      ...asked,
      ...facts,
      ...(checks && { checks: await showChecks(video, checks, linkTo) }),
      ...(link && { url: link.url }),
      ...(bytes > 0 && { bytes }),
      ...(files.length > 0 && { files }),
    })
  }
  return shown
}

async function describeFiles(
  video: ShownVideo,
  kinds: readonly OutputKind[],
  linkTo: LinkMaker,
): Promise<NonNullable<ShownOutput['files']>> {
  const described = kinds.map(async (kind) => {
    const stored = storedFile(video, kind)
    if (!stored) return []
    const link = await linkTo(video, kind)
    const file = fileInFolder(kind, stored.extension)
    return [{ file, ...(link && { url: link.url }), bytes: stored.sizeBytes }]
  })
  return (await Promise.all(described)).flat()
}

function describeResult(result: VideoResult): Partial<VideoRecord> {
  const { reusedFrom, videoMetadata, removed, suggestions, moments, covered, reframed } = result
  return defined({ reusedFrom, videoMetadata, removed, suggestions, moments, covered, reframed })
}

/** The checks of the first film, and their worst outcome in all results. */
async function describeChecks(
  video: ShownVideo,
  linkTo: LinkMaker,
): Promise<Pick<VideoRecord, 'checked' | 'checks'>> {
  const { result, jobError } = video
  const { checks, named = [] } = result ?? {}
  const all = [...(checks ?? []), ...named.flatMap((one) => one.checks ?? [])]
  const hasFailed = jobError?.reason === 'check_failed'
  if (all.length === 0 && !hasFailed) return {}
  return {
    checked: hasFailed ? 'failed' : worstOf(all),
    ...(checks && { checks: await showChecks(video, checks, linkTo) }),
  }
}

async function showChecks(
  video: ShownVideo,
  checks: readonly Check[],
  linkTo: LinkMaker,
): Promise<ShownCheck[]> {
  const shown = checks.map(async ({ still, ...told }): Promise<ShownCheck> => {
    const link = still && (await linkTo(video, still))
    return { ...told, ...(link && { stillUrl: link.url }) }
  })
  return Promise.all(shown)
}

function hasFiles({ result }: VideoRow): boolean {
  return Object.keys(result?.outputs ?? {}).length > 0
}

/** The state of each result at each destination; undefined if the request names none. */
function describeDestinations(video: ShownVideo): ShownDelivery[] | undefined {
  const { request, result, status } = video
  if (!request.destinations) return undefined
  if (result?.deliveries) return result.deliveries.map((one) => shownDelivery.parse(one))
  const expected = expectDeliveries(video)
  if (!isTerminal(status)) return expected
  const reason = `The video ${status === 'canceled' ? 'was canceled' : 'failed'}, so there is nothing to deliver`
  return expected.map((one) => ({ ...one, state: 'failed' as const, reason }))
}

/** A warning in place of links to results that are now only in buckets of the account. */
function sayRemoved({ result }: VideoRow): string[] {
  return (result ? removedResults(result) : []).map(
    (name) => `${name} was delivered and is not kept here any more, because of keep: false.`,
  )
}

/** A warning that takes the place of links that would not work. */
function sayGone(video: VideoRow): string[] {
  if (!hasFiles(video) || video.filesExpireAt === null) return []
  // Stills exist for the dashboard, and pictures of checks with them; their links are not missed.
  const kinds = Object.keys(video.result?.outputs ?? {})
  const isThumbnailAsked = video.request.enableThumbnail
  const isUnmissed = (kind: string): boolean =>
    kind === 'thumbnail' ? !isThumbnailAsked : stillKinds.some((own) => own === kind)
  if (kinds.every(isUnmissed)) return []
  return [
    `The files of this video were kept until ${timestamp(video.filesExpireAt)}; they are gone.`,
  ]
}

function describeState(video: ShownVideo): VideoRecord {
  const { transcriptStatus, analysisStatus } = video
  return {
    videoId: video.id,
    jobId: video.jobId,
    videoName: video.name,
    status: video.status,
    progressPercent: Math.floor(video.progressPercent),
    ...(video.status === 'running' && isPhase(video.phase) ? { phase: video.phase } : {}),
    hasTranscript: transcriptStatus !== 'not_requested' && transcriptStatus !== 'failed',
    ...(transcriptStatus === 'not_requested'
      ? {}
      : { transcript: describeTranscript(transcriptStatus, video.transcript) }),
    analysis: describeAnalysis(analysisStatus, video.analysis),
    ...(video.batchId !== null && { batchId: video.batchId }),
    createdAt: timestamp(video.createdAt),
    lastUpdatedAt: timestamp(video.updatedAt),
  }
}

function describeTranscript(
  status: Exclude<InsightStatus, 'not_requested'>,
  kept: VideoRow['transcript'],
): NonNullable<VideoRecord['transcript']> {
  const progress = kept?.progress === undefined ? {} : { progress: Math.floor(kept.progress) }
  switch (status) {
    case 'completed':
      return { status, ...transcriptText(kept) }
    case 'processing':
      return { status, progress: 0, ...progress }
    case 'pending':
      return { status, ...progress }
    case 'failed':
      return { status, ...progress, error: kept?.message ?? 'Transcription failed.' }
  }
}

/** The text, language, confidence and speakers, for the record and for the transcript itself. */
export function transcriptText(
  kept: VideoRow['transcript'],
): Pick<TranscriptRecord, 'text' | 'language' | 'confidence' | keyof WhoSpeaks> {
  const { text = '', language = unheardLanguage, confidence, renamed } = kept ?? {}
  const who = kept ? withNames(kept, renamed?.names ?? {}) : {}
  return { text, language, ...(confidence !== undefined && { confidence }), ...who }
}

function describeAnalysis(
  status: InsightStatus,
  kept: VideoRow['analysis'],
): NonNullable<VideoRecord['analysis']> {
  const progress = Math.floor(kept?.progress ?? 0)
  switch (status) {
    case 'not_requested':
      return { status }
    case 'completed':
      return { status, progress: 100, ...(kept?.data && { data: kept.data }) }
    case 'processing':
    case 'pending':
      return { status, progress }
    case 'failed':
      return { status, progress, error: kept?.message ?? 'Analysis failed.' }
  }
}

/** Why a video failed. If only its transcript failed, `errorMessage` says why as well. */
function explainFailure(video: ShownVideo): Pick<VideoRecord, 'reason' | 'errorMessage'> {
  const message =
    video.errorMessage ??
    (video.transcriptStatus === 'failed' && video.status === 'succeeded'
      ? video.transcript?.message
      : undefined)
  return {
    ...(video.jobError && { reason: video.jobError.reason }),
    ...(message === undefined ? {} : { errorMessage: message }),
  }
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}

export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms)
}
