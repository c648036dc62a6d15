import type { UsageDay } from '../../contract/usage.ts'

export type Series = {
  label: string
  look: 'good' | 'bad' | 'idle' | 'busy'
  of: (day: UsageDay) => number
}

type PlotProps = {
  title: string
  days: readonly UsageDay[]
  /** Stacked on each other, the first at the bottom. */
  series: readonly Series[]
  format: (value: number) => string
  /** The values at which the axis may end, ascending; ten times the last ones follow. Half of each is an easy number, too. */
  ends: readonly number[]
}

/** The plot is as many units wide as it has days, and stretched to its place. */
const height = 100

/** A column for each day, drawn by the service. The figures of a day are in its tooltip; the table of the page has all of them. */
export function DayPlot({ title, days, series, format, ends }: PlotProps) {
  const most = Math.max(0, ...days.map((day) => series.reduce((sum, { of }) => sum + of(day), 0)))
  const end = endOf(most, ends)
  return (
    <figure class="plot">
      <figcaption>
        <h2>{title}</h2>
        <Legend series={series} />
        <span class="legend">
          {most > 0 ? `at most ${format(most)} a day` : 'nothing in these days'}
        </span>
      </figcaption>
      <div class="axes">
        <div class="values" aria-hidden="true">
          {[end, end / 2, 0].map((value) => (
            <span>{format(value)}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${days.length} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}, day by day; the table below has the numbers`}
        >
          {days.map((day, i) => (
            <g class="day">
              <title>{describeDay(day, series, format)}</title>
              <rect class="hit" x={i} y="0" width="1" height={height} />
              {stack(day, series, end).map(({ look, y, size }) => (
                <rect class={`${look}-fill`} x={i + 0.12} y={y} width="0.76" height={size} />
              ))}
            </g>
          ))}
          {[0, height / 2, height].map((y) => (
            <line class="axis" x1="0" x2={days.length} y1={y} y2={y} />
          ))}
        </svg>
        <div class="scale" aria-hidden="true">
          {namedDays(days).map(({ date }) => (
            <span>{sayDay(date)}</span>
          ))}
        </div>
      </div>
    </figure>
  )
}

function Legend({ series }: Pick<PlotProps, 'series'>) {
  return (
    <>
      {series.map(({ label, look }) => (
        <span class="legend">
          <svg viewBox="0 0 1 1" aria-hidden="true">
            <rect width="1" height="1" class={`${look}-fill`} />
          </svg>
          {label}
        </span>
      ))}
    </>
  )
}

function endOf(most: number, ends: readonly number[]): number {
  const known = ends.find((end) => end >= most)
  return (
    known ??
    endOf(
      most,
      ends.map((end) => end * 10),
    )
  )
}

/** The days that get a label: the first, the last, and those between them for which there is room. */
function namedDays(days: readonly UsageDay[]): UsageDay[] {
  const gaps = Math.min(4, days.length - 1)
  const places = [...Array(gaps + 1).keys()].map((i) =>
    gaps === 0 ? 0 : Math.round((i / gaps) * (days.length - 1)),
  )
  return places.flatMap((place) => days[place] ?? [])
}

/** `2026-11-03` → "3 Nov" */
function sayDay(date: string): string {
  const options = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  return new Date(date).toLocaleDateString('en-GB', options)
}

function stack(day: UsageDay, series: readonly Series[], end: number) {
  let foot = height
  return series.flatMap(({ look, of }) => {
    const size = rounded((of(day) / end) * height)
    if (size === 0) return []
    foot = rounded(foot - size)
    return [{ look, y: foot, size }]
  })
}

function describeDay(day: UsageDay, series: readonly Series[], format: (value: number) => string) {
  const parts = series.map(({ label, of }) => `${label.toLowerCase()} ${format(of(day))}`)
  return `${day.date}: ${parts.join(', ')}`
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
