import { formatSeconds, formatTimecode } from '../design/formats.ts'
import { cutReasons } from './cut-reasons.ts'
import type { ShownCut, ShownPlan } from './read-plan.ts'

/** Each source as a line: the stretches kept, and the stretches cut with their reasons. */
export function SourceTimeline({ plan }: { plan: ShownPlan }) {
  if (plan.cuts.list.length === 0) return null
  return (
    <section class="timeline" aria-labelledby="timeline-title">
      <h2 id="timeline-title">What was cut</h2>
      {plan.sources.map(({ durationSeconds }, i) => (
        <SourceBar
          name={plan.sources.length > 1 ? `Clip ${i + 1}` : 'Source'}
          seconds={durationSeconds}
          cuts={plan.cuts.list.filter(({ source }) => source === i)}
          resultBegins={resultBegins(plan, i)}
        />
      ))}
      <p class="legend">
        <span class="named">
          <span class="key kept"></span> kept
        </span>
        {(['silence', 'filler', 'text', 'asked'] as const)
          .filter((why) => plan.cuts.list.some((cut) => cut.why === why))
          .map((why) => (
            <span class="named">
              <span class={`key ${why}`}></span> cut: {cutReasons[why]}
            </span>
          ))}
        <span class="soft">
          {plan.cuts.count} {plan.cuts.count === 1 ? 'cut' : 'cuts'},{' '}
          {formatSeconds(plan.cuts.removedSeconds)}
        </span>
      </p>
      <CutList plan={plan} />
    </section>
  )
}

/** The second of the result at which a source begins. */
function resultBegins({ sources, cuts }: ShownPlan, index: number): number {
  const before = sources
    .slice(0, index)
    .reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
  const removed = cuts.list
    .filter(({ source }) => source < index)
    .reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0)
  return before - removed
}

const units = 1000

type SourceBarFacts = {
  name: string
  seconds: number
  cuts: readonly ShownCut[]
  resultBegins: number
}

function SourceBar({ name, seconds, cuts, resultBegins: begins }: SourceBarFacts) {
  const x = (at: number) => Number(((Math.min(at, seconds) / seconds) * units).toFixed(2))
  return (
    <div class="line">
      <span class="soft">
        {name}, {formatTimecode(seconds)}
      </span>
      <svg
        viewBox={`0 0 ${units} 24`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: ${cuts.length} cuts; the list below has each`}
        data-timeline={JSON.stringify({
          seconds,
          begins,
          cuts: cuts.map(({ startTime, endTime }) => [startTime, endTime]),
        })}
      >
        <rect class="kept" x={0} y={0} width={units} height={24} />
        {cuts.map(({ startTime, endTime, why }) => (
          <rect
            class={why}
            x={x(startTime)}
            y={0}
            width={Math.max(1, x(endTime) - x(startTime))}
            height={24}
          >
            <title>
              {formatTimecode(startTime)} to {formatTimecode(endTime)}: cut, {cutReasons[why]}
            </title>
          </rect>
        ))}
        <line class="playhead" x1={0} x2={0} y1={0} y2={24} visibility="hidden" />
      </svg>
    </div>
  )
}

const mostListed = 200

function CutList({ plan: { cuts, sources } }: { plan: ShownPlan }) {
  const shown = cuts.list.slice(0, mostListed)
  const more = cuts.list.length + cuts.unlisted - shown.length
  return (
    <details>
      <summary>List of cuts</summary>
      <ol class="cuts">
        {shown.map(({ source, startTime, endTime, why }) => (
          <li>
            {sources.length > 1 && `Clip ${source + 1}, `}
            {formatTimecode(startTime)} to {formatTimecode(endTime)}{' '}
            <span class="soft">
              {formatSeconds(endTime - startTime)}, {cutReasons[why]}
            </span>
          </li>
        ))}
      </ol>
      {more > 0 && <p class="soft">and {more} more; the plan of the job has all of them.</p>}
    </details>
  )
}
