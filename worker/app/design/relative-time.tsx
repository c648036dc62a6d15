import { formatAge } from './format-age.ts'
import { formatMoment } from './format-moment.ts'

/** How long ago, with the exact time on hover. A script keeps it true while the page is open. */
export function RelativeTime({ at, now }: { at: string; now: number }) {
  return (
    <time datetime={at} title={formatMoment(at)} data-age>
      {formatAge(Date.parse(at), now)}
    </time>
  )
}
