import type { Child } from 'hono/jsx'
import type { VideoRecord } from '../../contract/video/video-record.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import { originsOf, type PageContent } from '../design/app-page.tsx'
import { Notice, CheckStill } from '../design/notice.tsx'
import { StatusBadge } from '../design/status-badge.tsx'
import { Tabs } from '../design/tabs.tsx'
import { AnalysisPanel } from './panels/analysis-panel.tsx'
import { AskFirst } from './ask-first.tsx'
import { describeDone, type Done } from './done.ts'
import { Facts } from './facts.tsx'
import { Frames } from './panels/frames.tsx'
import { JobPanel } from './panels/job-panel.tsx'
import { Moments } from './panels/moments.tsx'
import { OutputList, DeliveryList } from './output-list.tsx'
import { RequestPanel } from './panels/request-panel.tsx'
import type { RefusedSpeakers } from './panels/speaker-names.tsx'
import { SourceTimeline } from './source-timeline.tsx'
import { Stage } from './stage.tsx'
import { TranscriptPanel } from './panels/transcript-panel.tsx'
import { VideoMenu } from './video-menu.tsx'
import { videoStyle } from './video-style.ts'
import type { VideoView } from './read-video-view.ts'
import { formatSeconds, formatTimecode } from '../design/formats.ts'
import { limits } from '../../contract/limits.ts'
import { Button } from '../design/button.tsx'
import { Field } from '../design/field.tsx'
import { adviseOn, sayFailure } from './say-failure.ts'
import type { Suggestion } from '../../contract/job/report.ts'

/** The entries that were refused. */
export type Refused = { refusedName?: RefusedName; refusedSpeakers?: RefusedSpeakers }

type VideoPageProps = {
  view: VideoView
  done: Done | undefined
  refused: Refused
  baseUrl: string
  now: number
}

/** The page of one video: the player, the transcript, what was done, and what can be done with it. */
export function videoPage(facts: VideoPageProps): PageContent {
  const { view, done, refused } = facts
  const { record, sourceUrl } = view
  return {
    title: record.videoName,
    back: { label: 'Videos', href: '/app/videos' },
    actions: <VideoMenu record={record} />,
    below: <RenameForm record={record} refused={refused.refusedName} />,
    said: done && describeDone(done),
    section: 'videos',
    address: `/app/videos/${record.videoId}`,
    style: videoStyle,
    scripts: ['video'],
    play: originsOf(sourceUrl),
    children: (
      <>
        <Body {...facts} />
        <AskFirst />
      </>
    ),
  }
}

function Body({ view, refused, baseUrl, now }: VideoPageProps) {
  const { record, plan, sourceUrl } = view
  return (
    <div
      data-video={record.videoId}
      data-name={record.videoName}
      data-follow={isTerminal(record.status) ? undefined : ''}
    >
      <div data-region="troubles">
        <Troubles view={view} />
      </div>
      <div class="watch">
        <div data-region="stage">
          <Stage view={view} />
        </div>
        <section data-region="facts" aria-label="Facts">
          <p>
            <StatusBadge status={record.status} />
          </p>
          <Facts view={view} now={now} />
        </section>
      </div>
      <div data-region="outputs">
        <OutputList record={record} />
        <DeliveryList record={record} />
      </div>
      <div data-region="moments">
        <Moments record={record} sourceUrl={sourceUrl} />
      </div>
      <div data-region="frames">
        <Frames record={record} plan={plan} sourceUrl={sourceUrl} />
      </div>
      <div data-region="timeline">
        {plan && <SourceTimeline plan={plan} />}
        {record.suggestions && (
          <Suggestions suggestions={record.suggestions} videoId={record.videoId} />
        )}
      </div>
      <Panels view={view} refused={refused} baseUrl={baseUrl} />
    </div>
  )
}

function Panels({ view, refused, baseUrl }: Pick<VideoPageProps, 'view' | 'refused' | 'baseUrl'>) {
  const { record, job } = view
  const isAsked = record.analysis !== undefined && record.analysis.status !== 'not_requested'
  const tab = (id: string, label: string, content: Child) => ({
    id,
    label,
    content: <div data-region={id}>{content}</div>,
  })
  return (
    <Tabs
      label="About this video"
      tabs={[
        tab(
          'transcript',
          'Transcript',
          <TranscriptPanel view={view} refused={refused.refusedSpeakers} />,
        ),
        ...(isAsked ? [tab('summary', 'Summary', <AnalysisPanel view={view} />)] : []),
        tab('job', 'Job', <JobPanel job={job} />),
        tab('request', 'Request', <RequestPanel view={view} baseUrl={baseUrl} />),
        tab('webhooks', 'Webhooks', <Webhooks record={record} />),
      ]}
    />
  )
}

function Webhooks({ record }: { record: VideoRecord }) {
  return (
    <p>
      {record.webhookUrl === undefined ? (
        <span class="soft">This request named no webhook address. </span>
      ) : (
        <>
          <code>{record.webhookUrl}</code> gets an event when it ends.{' '}
        </>
      )}
      <a href={`/app/webhooks?videoId=${record.videoId}#log`}>Deliveries for this video</a>
    </p>
  )
}

const reasons: Record<Suggestion['why'], string> = {
  silence: 'nobody speaks',
  filler: 'filler',
  repeated_start: 'said again',
}

/** The cuts suggested for a video that was only listened to. */
function Suggestions({
  suggestions,
  videoId,
}: {
  suggestions: readonly Suggestion[]
  videoId: string
}) {
  if (suggestions.length === 0) return <p class="soft">Nothing to cut was found.</p>
  const seconds = suggestions.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0)
  return (
    <section class="timeline" aria-label="Suggestions">
      <p>
        {formatSeconds(seconds)} could be cut.{' '}
        <a href={`/app/videos/new?from=${videoId}`}>Choose what to cut</a>
      </p>
      <ol class="cuts">
        {suggestions.map(({ startTime, endTime, why, text }) => (
          <li>
            {formatTimecode(startTime)}, {formatSeconds(endTime - startTime)}, {reasons[why]}
            {text !== undefined && (
              <>
                : <span dir="auto">{text}</span>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

type RefusedName = { videoName: string; fault: string }

function RenameForm({
  record: { videoId, videoName },
  refused,
}: {
  record: VideoRecord
  refused: RefusedName | undefined
}) {
  return (
    <details class="rename" open={refused !== undefined}>
      <summary>Rename</summary>
      <form method="post" action={`/app/videos/${videoId}`}>
        <Field
          label="Name"
          name="videoName"
          value={refused?.videoName ?? videoName}
          error={refused?.fault}
          maxlength={limits.videoNameLength}
          autocomplete="off"
          required
        />
        <Button>Save name</Button>
      </form>
    </details>
  )
}

/** What went wrong or differs from the request, and what to do about it. */
function Troubles({ view: { record, job } }: { view: VideoView }) {
  const { status, reason, warnings = [], checks = [], videoId } = record
  const doubts = checks.filter(({ result }) => result !== 'passed')
  const advice = adviseOn(record)
  return (
    <>
      {status === 'failed' && (
        <Notice tone="bad">
          <p dir="auto">{sayFailure(record)}</p>
          <p>
            {advice !== undefined && `${advice} `}
            <a href={`/app/videos/new?from=${videoId}`}>Do it again</a>
            {reason === 'internal' && ` (job ${job.jobId})`}
          </p>
        </Notice>
      )}
      {warnings.length + doubts.length > 0 && (
        <Notice tone="busy">
          {doubts.map(({ name, message, stillUrl }) => (
            <p>
              Check of {name}: {message} <CheckStill name={name} url={stillUrl} />
            </p>
          ))}
          {warnings.map((warning) => (
            <p dir="auto">{warning}</p>
          ))}
        </Notice>
      )}
    </>
  )
}
