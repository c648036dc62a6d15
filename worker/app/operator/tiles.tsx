import type { Child } from 'hono/jsx'
import type { ServiceState } from '../../service/service-state.ts'
import { formatSeconds, formatBytes, formatNumber } from '../design/formats.ts'
import { ProgressBar } from '../design/status-badge.tsx'

/** The figures at the head of the operator's page. */
export function Tiles({ state }: { state: ServiceState }) {
  const age = state.oldestQueuedAt === null ? 0 : (state.at - state.oldestQueuedAt) / 1000
  return (
    <dl class="tiles">
      <Tile label="Waiting" value={formatNumber(state.queued)}>
        {age > 0 ? `oldest: ${formatSeconds(age)}` : 'none waiting'}
      </Tile>
      <Tile label="Running" value={formatNumber(state.running)}>
        {formatNumber(state.succeeded)} ready in all
      </Tile>
      <SlotTile state={state} />
      <Tile label="Webhooks to send" value={formatNumber(state.deliveriesPending)}>
        {formatNumber(state.deliveriesExhausted)} undelivered in the last 30 days
      </Tile>
      <Tile label="Dead letters" value={formatNumber(state.deadLetteredOpen)}>
        {formatNumber(state.deadLettered)} including ended jobs
      </Tile>
      <Tile label="Storage" value={formatBytes(state.storageBytes)}>
        results, sources and uploads
      </Tile>
      <Tile label="Database" value={formatBytes(state.database.bytes)}>
        of {formatBytes(state.database.mostBytes)}
        <ProgressBar percent={state.database.percent} label="Database, as a share of its limit" />
      </Tile>
    </dl>
  )
}

function SlotTile({ state: { mediaWorkers } }: { state: ServiceState }) {
  const up = mediaWorkers.filter((one) => one.up)
  const slots = up.reduce((sum, one) => sum + one.slots, 0)
  const busy = up.reduce((sum, one) => sum + one.running, 0)
  if (slots === 0) {
    return (
      <Tile label="Slots taken" value="0">
        no media worker with an address
      </Tile>
    )
  }
  return (
    <Tile label="Slots taken" value={`${busy} of ${slots}`}>
      <ProgressBar percent={(busy / slots) * 100} label="Slots taken" />
    </Tile>
  )
}

function Tile({ label, value, children }: { label: string; value: string; children: Child }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        <small>{children}</small>
      </dd>
    </div>
  )
}
