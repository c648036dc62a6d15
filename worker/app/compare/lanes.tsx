import type { ShownCheck } from '../../contract/job/check.ts'
import { formatSeconds, formatTimecode } from '../design/formats.ts'
import { doubtsIn } from './checks-list.tsx'
import type { LineUp, SharedTime } from './line-up.ts'

type LanesFacts = { time: SharedTime; checks: readonly ShownCheck[] | undefined }

/** The time of the source as a line, with what became of each stretch. */
export function Lanes({ time, checks }: LanesFacts) {
  const { line } = time
  const { seconds, resultSeconds, speed } = line
  const [from, to] = time.excerpt
  const removed = line.cuts.reduce((sum, [from, to]) => sum + to - from, 0)
  return (
    <section class="on-line" aria-label="Time line">
      <div class="lanes">
        <Lane of="source" between={[0, 1]} label={`Source, ${formatTimecode(seconds)}`}>
          {drawnCuts(line).map(([from, to]) => (
            <rect
              class="cut"
              x={share(from, seconds)}
              y="0"
              width={share(to - from, seconds)}
              height="100%"
            />
          ))}
        </Lane>
        <Lane
          of="result"
          between={[from / seconds, to / seconds]}
          label={`Result, ${formatTimecode(resultSeconds)}`}
        >
          <Marks time={time} checks={checks} />
        </Lane>
        <i class="playhead needs-script" aria-hidden="true"></i>
        <input
          class="moment needs-script"
          id="moment"
          type="range"
          min="0"
          max={seconds}
          step="0.1"
          value="0"
          aria-label="Moment of the source"
        />
      </div>
      <p class="legend">
        {line.cuts.length === 0 ? (
          'Nothing was cut out.'
        ) : (
          <>
            <svg class="key" aria-hidden="true">
              <rect class="cut" width="100%" height="100%" />
            </svg>
            Hatched: {formatSeconds(removed)} that were cut out.
            <span class="needs-script soft">
              Play from a hatched place to see and hear what was cut out.
            </span>
          </>
        )}
        {speed !== 1 && <span>The result plays {speed} times as fast.</span>}
      </p>
    </section>
  )
}

type LaneFacts = {
  of: string
  label: string
  /** Where the stretch begins and ends on the line. */
  between: readonly [from: number, to: number]
  children?: unknown
}

function Lane({ of, label, between, children }: LaneFacts) {
  const [from, to] = between.map((one) => Math.round(one * 1600))
  return (
    <div class={`lane ${of}`}>
      <p>
        {label} <span class="soft" id={`sound-${of}`}></span>
      </p>
      <svg role="img" aria-label={label}>
        {of === 'source' && <Hatch />}
        <svg viewBox="0 0 1600 100" preserveAspectRatio="none" width="100%" height="100%">
          <path id={`wave-${of}`} d={`M${from} 49.5H${to}v1H${from}z`} />
        </svg>
        {children}
      </svg>
    </div>
  )
}

function Hatch() {
  const size = 7
  return (
    <defs>
      <pattern
        id="hatch"
        width={size}
        height={size}
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect class="ground" width={size} height={size} />
        <rect class="stroke" width={2} height={size} />
      </pattern>
    </defs>
  )
}

/** Marks the places in the result at which checks found something, numbered as in the list. */
function Marks({ time, checks }: LanesFacts) {
  const { seconds } = time.line
  return (
    <>
      {doubtsIn(checks).map(({ stretch, result }, i) => {
        if (!stretch) return null
        const from = time.inSource(stretch.startTime)
        const to = Math.max(time.inSource(stretch.endTime), from + seconds / 200)
        return (
          <>
            <rect
              class={result}
              x={share(from, seconds)}
              y="0"
              width={share(to - from, seconds)}
              height="100%"
            />
            <text x={share(from, seconds)} y="1.1em" dx="4">
              {i + 1}
            </text>
          </>
        )
      })}
    </>
  )
}

/** The cuts to draw: those too close together to be told apart on the line are drawn as one. */
function drawnCuts({ cuts, seconds }: LineUp): [number, number][] {
  const drawn: [number, number][] = []
  for (const [from, to] of cuts) {
    const last = drawn.at(-1)
    if (last && from - last[1] < seconds / 2000) last[1] = to
    else drawn.push([from, to])
  }
  return drawn
}

const share = (part: number, seconds: number) => `${Number(((part / seconds) * 100).toFixed(2))}%`
