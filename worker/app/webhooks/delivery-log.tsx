import type {
  DeliveryAttempt,
  DeliveryRecord,
  DeliveryStatus,
} from '../../contract/webhooks/webhook-delivery.ts'
import { DataTable } from '../../reference/pages/data-table.tsx'
import { Pagination } from '../design/pagination.tsx'
import { RelativeTime } from '../design/values.tsx'
import { formatCount } from '../design/formats.ts'
import { Badge, ToneShape, type Tone } from '../design/status-badge.tsx'

const statusWords: Record<DeliveryStatus, { tone: Tone; word: string }> = {
  pending: { tone: 'busy', word: 'On its way' },
  succeeded: { tone: 'good', word: 'Received' },
  exhausted: { tone: 'bad', word: 'Given up' },
  stopped: { tone: 'idle', word: 'Stopped' },
}

const columns = ['Event', 'Video', 'Sent to', 'Attempts', 'State', 'When'] as const

export type LogProps = {
  deliveries: readonly DeliveryRecord[]
  next: string | undefined
  isFirst: boolean
  /** The video whose deliveries are shown; those of all videos if absent. */
  videoId: string | undefined
  now: number
}

/** One row for each delivery of an event. */
export function DeliveryLog({ deliveries, next, isFirst, videoId, now }: LogProps) {
  const address = (cursor?: string) => {
    const search = new URLSearchParams({ ...(videoId && { videoId }), ...(cursor && { cursor }) })
    return `/app/webhooks?${search.toString()}#log`
  }
  const isEmpty = deliveries.length === 0 && isFirst
  const about = videoId !== undefined && (
    <p class="soft">
      {isEmpty ? 'Nothing was sent in the last 30 days about ' : 'Only what was sent about '}
      <a href={`/app/videos/${videoId}`}>{videoId}</a>.{' '}
      <a href="/app/webhooks#log">Show all deliveries</a>
    </p>
  )
  if (isEmpty) {
    return (
      about || (
        <p class="soft">
          Nothing has been sent yet. When a video ends, its event appears here for 30 days, with
          every attempt and response. “Send a test event” shows what one looks like.
        </p>
      )
    )
  }
  return (
    <>
      {about}
      <DataTable
        caption="Deliveries, newest first"
        columns={columns}
        endsRight
        rows={deliveries.map((delivery) => [
          <a href={`/app/webhooks/deliveries/${delivery.deliveryId}`}>{delivery.type}</a>,
          delivery.videoId === null ? (
            <span class="soft">None</span>
          ) : (
            <a class="plain-link" href={`/app/videos/${delivery.videoId}`}>
              <code>{delivery.videoId}</code>
            </a>
          ),
          <code class="url">{delivery.url}</code>,
          <Dots attempts={delivery.attempts} />,
          <State delivery={delivery} now={now} />,
          <RelativeTime at={delivery.createdAt} now={now} />,
        ])}
      />
      <Pagination first={isFirst ? undefined : address()} next={next && address(next)}>
        {formatCount(deliveries.length, 'delivery', 'deliveries')}
      </Pagination>
    </>
  )
}

/** What has become of a delivery, and when it is tried again. */
export function State({
  delivery: { status, nextAttemptAt },
  now,
}: {
  delivery: DeliveryRecord
  now: number
}) {
  return (
    <>
      <Badge {...statusWords[status]} />
      {status === 'pending' && nextAttemptAt !== null && (
        <span class="soft">
          {' '}
          next try <RelativeTime at={nextAttemptAt} now={now} />
        </span>
      )}
    </>
  )
}

/** A dot for each attempt, with its answer in the tooltip, and all of them in words for screen readers. */
function Dots({ attempts }: { attempts: readonly DeliveryAttempt[] }) {
  if (attempts.length === 0) return <span class="soft">None yet</span>
  const words = attempts.map(answerOf).join(', ')
  return (
    <span
      class="dots"
      role="img"
      aria-label={`${formatCount(attempts.length, 'attempt')}: ${words}`}
    >
      {attempts.map((attempt) => (
        <span class={attempt.error === null ? 'good' : 'bad'} title={answerOf(attempt)}>
          <ToneShape tone={attempt.error === null ? 'good' : 'bad'} />
        </span>
      ))}
    </span>
  )
}

function answerOf({ statusCode, error }: DeliveryAttempt): string {
  return statusCode === null ? (error ?? 'no answer') : String(statusCode)
}

/** The outcome of one attempt, and how long it took. */
export function Outcome({
  attempt: { statusCode, error, durationMs },
}: {
  attempt: DeliveryAttempt
}) {
  return (
    <>
      {error ?? `Answered ${statusCode ?? ''}`} <span class="soft">· {durationMs} ms</span>
    </>
  )
}
