import { type Choices, leaveOut } from '../../new-video/request/build-request.ts'
import type { Composer } from './composer.ts'

/** By address, because a video that is made again has entries of its own. */
const key = `spool.new-video${location.search}`

/** Keeps the entries of the form while this tab is reloaded, or goes elsewhere and back. */
export function keepDraft(composer: Composer, place: Storage): void {
  const isSeenAgain = performance.getEntriesByType('navigation').some((entry) => {
    return entry instanceof PerformanceNavigationTiming && /reload|back/.test(entry.type)
  })
  const draft = isSeenAgain ? read(place) : undefined
  if (draft) composer.show(draft, 'controls')
  const keep = () => {
    const request = leaveOut(composer.request, 'uploadId', 'sourceVideoId')
    try {
      place.setItem(key, JSON.stringify(request))
    } catch {
      // In a browser that stores nothing, only the draft is lost.
    }
  }
  composer.onChange(keep)
  composer.form.addEventListener('created', () => {
    place.removeItem(key)
  })
}

function read(place: Storage): Choices | undefined {
  try {
    const kept: unknown = JSON.parse(place.getItem(key) ?? 'null')
    return typeof kept === 'object' && kept !== null ? (kept as Choices) : undefined
  } catch {
    return undefined
  }
}
