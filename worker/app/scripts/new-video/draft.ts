import { type Request, leaveOut } from '../../new-video/request/build-request.ts'
import type { Composer } from './composer.ts'

const key = 'spool.new-video'

/** Keeps the entries of the form when this tab is reloaded. */
export function keepDraft(composer: Composer, place: Storage): void {
  const isReload = performance.getEntriesByType('navigation').some((entry) => {
    return entry instanceof PerformanceNavigationTiming && entry.type === 'reload'
  })
  const draft = isReload ? read(place) : undefined
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

function read(place: Storage): Request | undefined {
  try {
    const kept: unknown = JSON.parse(place.getItem(key) ?? 'null')
    return typeof kept === 'object' && kept !== null ? (kept as Request) : undefined
  } catch {
    return undefined
  }
}
