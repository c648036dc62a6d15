import type { UsageDay } from '../../contract/usage.ts'

export type Series = {
  label: string
  look: 'good' | 'bad' | 'idle' | 'busy'
  of: (day: UsageDay) => number
}

type PlotProps = {
  title: string
  days: readonly UsageDay[]
  /** Stacked on each other, the first at the foot. */
  series: readonly Series[]
  format: (value: number) => string
}

/** The plot is as many units wide as it has days, and stretched to its place. */
const height = 100

/** A column for each day, drawn by the service. The numbers of a day are in its title; the table of the page has all of them. */
export function DayPlot({ title, days, series, format }: PlotProps) {
  const most = Math.max(0, ...days.map((day) => sumOf(day, series)))
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure class="plot">
      <figcaption>
        <h2>{title}</h2>
        <Legend series={series} />
        <span class="legend">
          {most > 0 ? `at most ${format(most)} a day` : 'nothing in these days'}
        </span>
      </figcaption>
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
            {stack(day, series, most).map(({ look, y, size }) => (
              <rect class={`${look}-fill`} x={i + 0.12} y={y} width="0.76" height={size} />
            ))}
          </g>
        ))}
        <line class="axis" x1="0" x2={days.length} y1={height} y2={height} />
      </svg>
      <div class="scale" aria-hidden="true">
        <span>{first?.date}</span>
        <span>{last?.date}</span>
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

function stack(day: UsageDay, series: readonly Series[], most: number) {
  let foot = height
  return series.flatMap(({ look, of }) => {
    const size = most === 0 ? 0 : rounded((of(day) / most) * (height - 2))
    if (size === 0) return []
    foot = rounded(foot - size)
    return [{ look, y: foot, size }]
  })
}

function describeDay(day: UsageDay, series: readonly Series[], format: (value: number) => string) {
  const parts = series.map(({ label, of }) => `${label.toLowerCase()} ${format(of(day))}`)
  return `${day.date}: ${parts.join(', ')}`
}

function sumOf(day: UsageDay, series: readonly Series[]): number {
  return series.reduce((sum, { of }) => sum + of(day), 0)
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
