import type { JobRecord } from '../../contract/job/job-record.ts'
import type { ShownPart } from '../../contract/job/shown-part.ts'
import { readDivision } from './read-plan.ts'

type Attempt = JobRecord['attempts'][number]

/** Which parts of a film others have rendered, or why it was rendered whole; nothing if that was no question. */
export function FilmParts({ attempt: { parts, plan } }: { attempt: Attempt }) {
  const division = readDivision(plan)
  if (division === undefined && parts.length === 0) return null
  if (division !== undefined && typeof division === 'string')
    return <p class="soft">One media worker rendered all of it: {division}.</p>
  const count = Math.max(division ?? 0, ...parts.map(({ n }) => n + 1))
  return (
    <div class="parts">
      <p class="soft">{sayParts(count, parts)}</p>
      <svg viewBox={`0 0 ${count} 1`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length: count }, (_, n) => (
          <rect
            class={parts.find((part) => part.n === n)?.state ?? 'own'}
            x={n + 0.05}
            y={0}
            width={0.9}
            height={1}
          />
        ))}
      </svg>
    </div>
  )
}

const words: Record<ShownPart['state'], string> = {
  stored: 'rendered elsewhere',
  running: 'being rendered elsewhere',
  failed: 'failed elsewhere',
  stopped: 'not needed any more',
}

/** `The film has 12 parts: 5 rendered elsewhere, 1 failed elsewhere. 2 were given to a media worker more than once.` */
function sayParts(count: number, parts: readonly ShownPart[]): string {
  const said = Object.entries(words).flatMap(([state, word]) => {
    const some = parts.filter((part) => part.state === state).length
    return some === 0 ? [] : [`${some} ${word}`]
  })
  const again = parts.filter(({ tries }) => tries > 1).length
  const list = said.length === 0 ? 'none rendered elsewhere' : said.join(', ')
  const repeated = again === 0 ? '' : ` Given to a media worker more than once: ${again}.`
  return `The film has ${count} parts: ${list}.${repeated}`
}
