import type { FieldFault } from '../../contract/answers/errors.ts'
import type {
  DeliveryRecord,
  DeliveryStatus,
  WebhookSecretRecord,
} from '../../contract/webhooks/webhook-delivery.ts'
import type { EndpointRecord } from '../../contract/webhooks/webhook-endpoint.ts'
import { webhookEventTypes } from '../../contract/webhooks/webhook-event.ts'
import { Button } from '../design/button.tsx'
import { Field, faultOf } from '../design/field.tsx'
import { Notice } from '../design/notice.tsx'
import { DeliveryLog, Outcome, type LogProps } from './delivery-log.tsx'
import { Secret } from './secret.tsx'
import { DataTable } from '../../reference/pages/data-table.tsx'
import { Dialog } from '../design/dialog.tsx'
import { RelativeTime } from '../design/values.tsx'
import { Badge } from '../design/status-badge.tsx'

/** The values entered for a new endpoint, and what is wrong with them. */
export type Entered = {
  url: string
  description: string
  eventTypes: readonly string[]
  faults?: readonly FieldFault[]
}

export const webhooksStyle = `
.split { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: var(--s4) var(--s5); margin-bottom: var(--s5); }
@media (max-width: 60rem) { .split { grid-template-columns: minmax(0, 1fr); } }
.dots { display: inline-flex; gap: 3px; align-items: center; }
.dots .good { color: var(--good); } .dots .bad { color: var(--bad); }
.events { border: 0; padding: 0; margin: 0 0 var(--s3); }
.events legend { font-weight: 500; padding: 0; margin-bottom: var(--s1); }
.events label { display: inline-flex; gap: var(--s2); align-items: center; margin-right: var(--s3); }
dl.facts + h2 { margin-top: var(--s4); }
.new-endpoint { margin-top: var(--s4); }
.log { margin-top: var(--s3); }
.log .url { font-size: var(--small); }
td form, .table .right form { display: inline; }
.attempt { border-top: 1px solid var(--line); padding: var(--s3) 0; }
.attempt pre { margin: var(--s2) 0 0; padding: var(--s2) var(--s3); background: var(--code); border-radius: var(--radius); white-space: pre-wrap; overflow-wrap: anywhere; max-height: 16rem; overflow: auto; }
`

type WebhooksProps = {
  endpoints: readonly EndpointRecord[]
  log: LogProps
  /** Present once an owner has asked for it. */
  secret: WebhookSecretRecord | undefined
  isOwner: boolean
  tested: DeliveryRecord | undefined
  entered: Entered
  now: number
}

export const doneTexts: Record<string, string> = {
  added: 'Endpoint added. From now on it gets an event for every video that ends.',
  changed: 'Endpoint updated.',
  deleted: 'Endpoint deleted.',
  rotated: 'You have a new secret. For 24 hours, every webhook is signed with both.',
  redelivered: 'Queued to be sent again, with the same webhook-id and the full retry schedule.',
}

export function webhooksView(props: WebhooksProps) {
  const { endpoints, log, entered, now } = props
  // A pending delivery changes soon; otherwise only new videos change this page.
  const isMoving = log.deliveries.some(({ status }) => status === 'pending')
  return (
    <>
      {props.tested && <Tested delivery={props.tested} />}
      <div class="split">
        <section aria-labelledby="endpoints">
          <h2 id="endpoints">Endpoints</h2>
          <Endpoints endpoints={endpoints} now={now} />
          <NewEndpoint entered={entered} />
        </section>
        <Secret secret={props.secret} isOwner={props.isOwner} now={now} />
      </div>
      <section aria-labelledby="log">
        <h2 id="log">Log</h2>
        <div class="log" data-region="log" data-live={isMoving ? 2 : 15}>
          <DeliveryLog {...log} />
        </div>
      </section>
    </>
  )
}

const testWords: Record<DeliveryStatus, string> = {
  succeeded: 'received the test event.',
  pending: 'is busy; the test event is queued.',
  exhausted: 'did not accept the test event.',
  stopped: 'did not accept the test event.',
}

function Tested({ delivery }: { delivery: DeliveryRecord }) {
  const [attempt] = delivery.attempts
  const isGood = delivery.status === 'succeeded'
  return (
    <Notice tone={isGood ? 'good' : delivery.status === 'pending' ? 'busy' : 'bad'} role="status">
      <p>
        <code>{delivery.url}</code> {testWords[delivery.status]}{' '}
        {attempt && <Outcome attempt={attempt} />}
      </p>
      <p>
        <a href={`/app/webhooks/deliveries/${delivery.deliveryId}`}>What was sent and answered</a>
      </p>
    </Notice>
  )
}

function NewEndpoint({ entered }: { entered: Entered }) {
  const { url, description, eventTypes, faults = [] } = entered
  return (
    <form method="post" action="/app/webhooks/endpoints" class="new-endpoint">
      <h3>New endpoint</h3>
      <Field
        label="Address"
        name="url"
        type="url"
        value={url}
        error={faultOf(faults, 'url')}
        placeholder="https://example.com/hooks"
        autocomplete="off"
        spellcheck={false}
        hint="Gets a signed POST for every video that ends"
      />
      <Field
        label="Description"
        name="description"
        value={description}
        error={faultOf(faults, 'description')}
        maxlength={255}
        autocomplete="off"
      />
      <EventBoxes chosen={eventTypes} />
      <div class="row">
        <Button look="primary">Add endpoint</Button>
        <Button formaction="/app/webhooks/test">Send a test event</Button>
      </div>
    </form>
  )
}

function EventBoxes({ chosen }: { chosen: readonly string[] }) {
  return (
    <fieldset class="events">
      <legend>Events</legend>
      {webhookEventTypes.map((type) => (
        <label>
          <input type="checkbox" name="eventTypes" value={type} checked={chosen.includes(type)} />
          <code>{type}</code>
        </label>
      ))}
      <p class="soft">Tick none to get every event, including future ones.</p>
    </fieldset>
  )
}

const columns = ['Address', 'Events', 'State', 'Created', 'Action'] as const

/** The endpoints that receive the events of every video. */
function Endpoints({ endpoints, now }: { endpoints: readonly EndpointRecord[]; now: number }) {
  if (endpoints.length === 0) {
    return (
      <p class="soft">
        No endpoints yet. An endpoint gets an event for every video that ends, in addition to the{' '}
        <code>webhookUrl</code> that a request may name.
      </p>
    )
  }
  return (
    <>
      <DataTable
        caption="Webhook endpoints of this account"
        columns={columns}
        endsRight
        rows={endpoints.map((endpoint) => [
          <Address endpoint={endpoint} />,
          endpoint.eventTypes?.map((type) => type.replace('video.', '')).join(', ') ??
            'Every event',
          <Badge
            tone={endpoint.enabled ? 'good' : 'idle'}
            word={endpoint.enabled ? 'Enabled' : 'Disabled'}
          />,
          <RelativeTime at={endpoint.createdAt} now={now} />,
          <Actions endpoint={endpoint} />,
        ])}
      />
      {endpoints.map((endpoint) => (
        <DeleteDialog endpoint={endpoint} />
      ))}
    </>
  )
}

function DeleteDialog({ endpoint }: { endpoint: EndpointRecord }) {
  return (
    <Dialog
      id={dialogOf(endpoint)}
      title="Delete this endpoint?"
      confirm={
        <form method="post" action={`/app/webhooks/endpoints/${endpoint.endpointId}`}>
          <Button look="danger" name="change" value="delete">
            Delete endpoint
          </Button>
        </form>
      }
    >
      <p>
        <code>{endpoint.url}</code> gets no more events, and unfinished deliveries to it are
        stopped. The log is kept.
      </p>
    </Dialog>
  )
}

function Address({ endpoint }: { endpoint: EndpointRecord }) {
  return (
    <>
      <code>{endpoint.url}</code>
      {endpoint.description !== null && (
        <div class="soft" dir="auto">
          {endpoint.description}
        </div>
      )}
    </>
  )
}

function Actions({ endpoint }: { endpoint: EndpointRecord }) {
  const { url, enabled } = endpoint
  return (
    <form method="post" action={`/app/webhooks/endpoints/${endpoint.endpointId}`}>
      <input type="hidden" name="url" value={url} />
      <Button size="small" formaction="/app/webhooks/test" label={`Send a test event to ${url}`}>
        Test
      </Button>{' '}
      <Button
        size="small"
        name="change"
        value={enabled ? 'disable' : 'enable'}
        label={`${enabled ? 'Disable' : 'Enable'} ${url}`}
      >
        {enabled ? 'Disable' : 'Enable'}
      </Button>{' '}
      <Button
        size="small"
        look="danger"
        name="change"
        value="delete"
        dialog={dialogOf(endpoint)}
        label={`Delete ${url}`}
      >
        Delete
      </Button>
    </form>
  )
}

const dialogOf = ({ endpointId }: EndpointRecord) => `delete-${endpointId}`
