import { home } from '../session/safe-next.ts'

/** Takes along where the person wanted to go. */
export function HiddenNext({ next }: { next: string }) {
  return next === home ? null : <input type="hidden" name="next" value={next} />
}

export function withNext(path: string, next: string): string {
  return next === home ? path : `${path}?next=${encodeURIComponent(next)}`
}
