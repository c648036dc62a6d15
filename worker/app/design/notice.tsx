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

/** The message about a whole form that was refused, read out at once; nothing without one. */
export function Alert({ children }: { children: Child | undefined }) {
  if (children === undefined) return null
  return (
    <Notice tone="bad" role="alert">
      {children}
    </Notice>
  )
}

/** The picture of a place in a result at which a check found something; nothing if there is none. */
export function CheckStill({ name, url }: { name: string; url: string | undefined }) {
  if (url === undefined) return null
  return (
    <a class="evidence" href={url}>
      <img src={url} alt={`What the check of ${name} found`} width="160" loading="lazy" />
    </a>
  )
}
