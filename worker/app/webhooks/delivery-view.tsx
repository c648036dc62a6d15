import type { DeliveryAttempt, DeliveryRecord } from '../../contract/webhooks/webhook-delivery.ts'
import { Button } from '../design/button.tsx'
import { CodeBlock } from '../design/code-block.tsx'
import { formatMoment } from '../design/formats.ts'
import { CopyableId, FactList } from '../design/values.tsx'
import { Outcome, State } from './delivery-log.tsx'

/** A transcript can make a body of a megabyte. */
const shownBodyChars = 20_000

type DeliveryProps = {
  delivery: DeliveryRecord
  /** The body that every attempt sends. */
  body: string
  now: number
}

export function RedeliverForm({ deliveryId }: DeliveryRecord) {
  return (
    <form method="post" action={`/app/webhooks/deliveries/${deliveryId}/redeliver`}>
      <Button>Redeliver</Button>
    </form>
  )
}

export function DeliveryView({ delivery, body, now }: DeliveryProps) {
  const { status, url, webhookId } = delivery
  const head = `webhook-id: ${webhookId}\ncontent-type: application/json`
  return (
    <>
      <div data-region="delivery" data-live={status === 'pending' ? 2 : 30}>
        <Facts delivery={delivery} now={now} />
        <h2>Attempts</h2>
        {delivery.attempts.length === 0 && <p class="soft">None yet.</p>}
        {delivery.attempts.map((attempt, i) => (
          <Attempt attempt={attempt} number={i + 1} />
        ))}
      </div>
      <h2>Request</h2>
      <CodeBlock label={`POST ${url}`} code={`${head}\n\n${readable(body)}`} />
    </>
  )
}

function Facts({ delivery, now }: Pick<DeliveryProps, 'delivery' | 'now'>) {
  const { videoId } = delivery
  return (
    <FactList
      facts={[
        ['State', <State delivery={delivery} now={now} />],
        ['Sent to', <code>{delivery.url}</code>],
        ['Video', videoId === null ? 'None' : <a href={`/app/videos/${videoId}`}>{videoId}</a>],
        ['webhook-id', <CopyableId id={delivery.webhookId} />],
        ['Delivery', <CopyableId id={delivery.deliveryId} />],
      ]}
    />
  )
}

function Attempt({ attempt, number }: { attempt: DeliveryAttempt; number: number }) {
  return (
    <div class="attempt">
      <strong>
        {attempt.redelivery ? 'Redelivery' : 'Attempt'} {number}
      </strong>{' '}
      <span class="soft">{formatMoment(attempt.at)}</span>
      <div>
        <Outcome attempt={attempt} />
      </div>
      {attempt.response !== '' && (
        <pre tabindex={0} role="group" aria-label={`Answer to attempt ${number}`}>
          {attempt.response}
        </pre>
      )}
    </div>
  )
}

/** JSON on many lines; a body that is too long to read is cut off. */
function readable(body: string): string {
  const text = JSON.stringify(JSON.parse(body), null, 2)
  if (text.length <= shownBodyChars) return text
  return `${text.slice(0, shownBodyChars)}\n… ${text.length - shownBodyChars} more characters`
}
