import type { ShownDelivery } from '../../contract/storages/destination.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'
import { Badge, type Tone } from '../design/status-badge.tsx'

const states: Record<ShownDelivery['state'], { tone: Tone; word: string }> = {
  pending: { tone: 'busy', word: 'On its way' },
  delivered: { tone: 'good', word: 'Delivered' },
  failed: { tone: 'bad', word: 'Failed' },
}

/** What becomes of each result at each bucket; nothing for a request that names none. */
export function DeliveryList({ record }: { record: VideoRecord }) {
  if (!record.destinations?.length || record.status !== 'succeeded') return null
  return (
    <section class="outputs" aria-label="Destinations">
      <h2>Destinations</h2>
      <dl class="facts">
        {record.destinations.map(({ storage, key, state, reason }) => (
          <>
            <dt>{storage}</dt>
            <dd>
              <code>{key}</code> <Badge {...states[state]} />
              {reason !== undefined && <div class="soft">{reason}</div>}
            </dd>
          </>
        ))}
      </dl>
    </section>
  )
}
