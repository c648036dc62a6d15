import { type Request, leaveOut } from '../../new-video/request/build-request.ts'
import type { Composer } from './composer.ts'

const key = 'spool.new-video'

/** Keeps what was entered over a reload of this tab. */
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
      // A browser that keeps nothing loses no more than the draft.
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
