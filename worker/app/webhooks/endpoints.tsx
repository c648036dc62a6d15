import type { EndpointRecord } from '../../contract/webhooks/webhook-endpoint.ts'
import { Button } from '../design/button.tsx'
import { DataTable } from '../design/data-table.tsx'
import { Dialog } from '../design/dialog.tsx'
import { RelativeTime } from '../design/values.tsx'
import { Badge } from '../design/status-badge.tsx'

const columns = ['Address', 'Events', 'State', 'Created', 'Action'] as const

/** The endpoints that receive the events of every video. */
export function Endpoints({
  endpoints,
  now,
}: {
  endpoints: readonly EndpointRecord[]
  now: number
}) {
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
