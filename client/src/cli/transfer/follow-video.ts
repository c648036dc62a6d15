import type { Video } from '../../api-types.ts'
import { SpoolError } from '../../errors.ts'
import { hasEnded } from '../../resources/follow-video.ts'
import type { Spool } from '../../spool.ts'
import { CommandError } from '../session/command-error.ts'
import type { Session } from '../session/session.ts'
import { confirm } from '../session/ask.ts'
import type { ProgressDisplay } from '../terminal/progress.ts'
import type { ProgressStep } from '../terminal/progress-line.ts'
import { durationText } from '../terminal/quantities.ts'
import type { Context } from './with-progress.ts'

/** Shows the progress of a video until it has ended. Ctrl-C stops following, and asks what to do with the video. */
export async function followVideo(
  videoId: string,
  { session, spool, progress }: Context,
  onRecord: (video: Video) => void = () => undefined,
): Promise<Video> {
  const { signal } = session
  let last: Video | undefined
  try {
    for await (const video of spool.videos.watch(videoId, { signal })) {
      last = video
      onRecord(video)
      if (!hasEnded(video)) progress.show(stepOf(video, session.surroundings.now()))
    }
  } catch (error) {
    progress.stop()
    throw signal.aborted ? await askAboutCanceling(videoId, session, spool) : error
  }
  if (!last) throw new SpoolError(`The service sent no state of video ${videoId}.`)
  sayEnd(last, session, progress)
  return last
}

const phases: Record<NonNullable<Video['phase']>, string> = {
  fetching: 'Fetching the source',
  measuring: 'Measuring',
  transcribing: 'Listening',
  rendering: 'Rendering',
  uploading: 'Storing the result',
}

export function stepOf(video: Video, nowMs: number): ProgressStep {
  const { status, phase, progressPercent, transcript, queuePosition } = video
  const left = { ...video, atMs: nowMs }
  if (status === 'queued') {
    const place = queuePosition === undefined ? {} : { detail: `number ${queuePosition} in line` }
    return { label: 'Waiting for a media worker', left, ...place }
  }
  const label = phase ? phases[phase] : 'Processing'
  const isHeard = transcript?.status === 'processing' && transcript.progress !== undefined
  return {
    label,
    fraction: progressPercent / 100,
    left,
    ...(isHeard ? { detail: `transcript ${Math.floor(transcript.progress ?? 0)} %` } : {}),
  }
}

function sayEnd(video: Video, { screen }: Session, progress: ProgressDisplay): void {
  const { status, videoId, warnings = [], createdAt, lastUpdatedAt } = video
  if (status !== 'succeeded') return
  const seconds = (Date.parse(lastUpdatedAt) - Date.parse(createdAt)) / 1000
  progress.done(
    `${screen.mark('good')} Processed ${videoId} in ${durationText(Math.max(0, seconds))}`,
  )
  for (const text of warnings) progress.say(`${screen.notePaint.yellow('warning:')} ${text}`)
}

async function askAboutCanceling(
  videoId: string,
  session: Session,
  spool: Spool,
): Promise<unknown> {
  const interrupted = session.interrupted([
    `Video ${videoId} goes on without you.`,
    `  spool watch ${videoId}     to follow it again`,
    `  spool cancel ${videoId}    to stop it`,
  ])
  if (!session.isInteractive || !interrupted.isByKey) return interrupted
  const wantsEnd = await confirm(session.surroundings, `\nCancel video ${videoId} too?`)
  if (!wantsEnd) return interrupted
  const video = await spool.videos.cancel(videoId, { timeoutMs: 10_000, maxRetries: 1 })
  return new CommandError(
    video.status === 'canceled'
      ? `Stopped, and ${videoId} is canceled.`
      : `Stopped; ${videoId} had ended.`,
    interrupted.exitCode,
  )
}
