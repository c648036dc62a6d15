import type { Child } from 'hono/jsx'
import { ToneShape, type Tone } from './status-badge.tsx'

/**
 * Something that has happened, and what to do about it. `role` alert: read out at once; status: when there is a pause.
 */
export function Notice({
  tone,
  children,
  role,
}: {
  tone: Tone
  children: Child
  role?: 'alert' | 'status'
}) {
  return (
    <div class={`notice ${tone}`} role={role}>
      <ToneShape tone={tone} />
      <div>{children}</div>
    </div>
  )
}
