import type { Child } from 'hono/jsx'
import { formatAge, formatMoment } from './formats.ts'

/** How long ago, with the exact time on hover. A script keeps it true while the page is open. */
export function RelativeTime({ at, now }: { at: string; now: number }) {
  return (
    <time datetime={at} title={formatMoment(at)} data-age>
      {formatAge(Date.parse(at), now)}
    </time>
  )
}

/** An id that a click copies. */
export function CopyableId({ id }: { id: string }) {
  return (
    <button type="button" class="copyable" data-copy={id} title="Copy">
      {id}
    </button>
  )
}

/** Facts by their names. */
export function FactList({ facts }: { facts: readonly (readonly [string, Child])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  )
}
