import type { UsageDay, UsageRecord } from '../../contract/usage.ts'
import { sayAmount } from '../../service/limits/budget.ts'
import { Button } from '../design/button.tsx'
import { DataTable } from '../../reference/pages/data-table.tsx'
import { formatSeconds, formatBytes, formatNumber } from '../design/formats.ts'
import { DayPlot, type Series } from './day-plot.tsx'
import { Limits, type UsageProps } from './limits.tsx'

export const usageStyle = `
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: var(--s3); margin: 0 0 var(--s4); }
.figures div { border-top: 2px solid var(--line); padding-top: var(--s2); }
.figures dt { color: var(--soft); font-size: var(--small); }
.figures dd { margin: 0; font-size: 1.375rem; letter-spacing: -0.01em; }
.figures dd small { display: block; font-size: var(--small); color: var(--soft); letter-spacing: 0; }
.range { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: end; }
.range label { display: grid; gap: 2px; font-size: var(--small); color: var(--soft); }
.range .input { width: 10.5rem; }
.days .table th, .days .table td { padding-right: var(--s2); overflow-wrap: normal; }
.days .table tbody th { white-space: nowrap; }
.windows { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: var(--s3) var(--s4); margin: 0 0 var(--s5); padding: 0; list-style: none; }
.windows .progress { margin: var(--s1) 0; }
.windows .progress::-webkit-progress-value { background: var(--good); }
.windows .progress::-moz-progress-bar { background: var(--good); }
.windows .tight .progress::-webkit-progress-value { background: var(--bad); }
.windows .tight .progress::-moz-progress-bar { background: var(--bad); }
.windows p { margin: 0; display: flex; justify-content: space-between; gap: var(--s2); } .windows .again { white-space: nowrap; }
.plot { margin: 0 0 var(--s5); }
.plot figcaption { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s3); align-items: baseline; margin-bottom: var(--s2); }
.plot figcaption h2 { margin: 0; flex: 1; }
.plot svg { display: block; width: 100%; height: 11rem; }
.plot .legend { font-size: var(--small); color: var(--soft); display: inline-flex; align-items: center; gap: var(--s1); }
.plot .legend svg { width: 0.75rem; height: 0.75rem; }
.plot .axis { stroke: var(--line); vector-effect: non-scaling-stroke; }
.plot .day:hover .hit { fill: var(--tint); }
.plot .hit { fill: transparent; }
.good-fill { fill: var(--good); } .bad-fill { fill: var(--bad); } .idle-fill { fill: var(--idle); } .busy-fill { fill: var(--busy); }
.axes { display: grid; grid-template-columns: max-content minmax(0, 1fr); column-gap: var(--s2); color: var(--soft); font-size: var(--small); font-variant-numeric: tabular-nums; }
.axes > svg { overflow: visible; }
.values { display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin: -0.6em 0; }
.scale { grid-column: 2; display: flex; justify-content: space-between; margin-top: var(--s2); }
@media (max-width: 32rem) { .scale span:nth-child(even) { display: none; } }
.days { margin-top: var(--s4); }
`

const videoSeries: Series[] = [
  { label: 'Ready', look: 'good', of: (day) => day.succeeded },
  { label: 'Failed', look: 'bad', of: (day) => day.failed },
  { label: 'Canceled', look: 'idle', of: (day) => day.canceled },
]

const minuteSeries: Series[] = [
  { label: 'Kept', look: 'good', of: (day) => day.minutesOut },
  { label: 'Cut away', look: 'busy', of: (day) => Math.max(0, day.minutesIn - day.minutesOut) },
]

/** The kinds of work, in the order in which a job does them. */
const kinds = [
  { label: 'Measuring', look: 'idle', kind: 'measuring' },
  { label: 'Rendering', look: 'good', kind: 'rendering' },
  { label: 'Transcribing', look: 'busy', kind: 'transcribing' },
  { label: 'Analysing', look: 'bad', kind: 'analysing' },
] as const
const workSeries: Series[] = kinds.map(({ label, look, kind }) => ({
  ...{ label, look },
  of: (day) => day.work[kind],
}))

export function UsageView({ usage, keys, now }: UsageProps) {
  const { days } = usage
  return (
    <>
      <div data-region="now" data-live={5}>
        <Figures usage={usage} />
        <h2>Limits now</h2>
        <Limits usage={usage} keys={keys} now={now} />
      </div>
      <DayPlot
        title="Videos that ended"
        days={days}
        series={videoSeries}
        format={String}
        ends={[2, 4, 10]}
      />
      <DayPlot
        title="Minutes"
        days={days}
        series={minuteSeries}
        format={(value) => formatSeconds(value * 60)}
        ends={[1 / 6, 1 / 3, 1, 2, 4, 10, 20, 60, 120, 240, 600]}
      />
      <DayPlot
        title="Processor time"
        days={days}
        series={workSeries}
        format={formatSeconds}
        ends={[10, 20, 60, 120, 300, 600, 1200, 3600, 7200, 36_000]}
      />
      <CostTable total={usage.total} />
      <DayTable usage={usage} />
    </>
  )
}

/** The fields do not bound each other: both have to be changed before the form is sent. */
export function Range({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return (
    <form method="get" action="/app/usage" class="range">
      <label>
        From
        <input class="input" type="date" name="from" value={from} />
      </label>
      <label>
        To
        <input class="input" type="date" name="to" value={to} />
      </label>
      <Button>Show days</Button>
    </form>
  )
}

function Figures({ usage: { total, now } }: { usage: UsageRecord }) {
  const videos = total.succeeded + total.failed + total.canceled
  const figures: [string, string, string][] = [
    ['Videos', formatNumber(videos), `${formatNumber(total.succeeded)} ready`],
    ['Minutes in', formatSeconds(total.minutesIn * 60), 'of videos that succeeded'],
    ['Minutes out', formatSeconds(total.minutesOut * 60), 'after all cuts'],
    ['Processor time', formatSeconds(total.processorSeconds), 'in every attempt'],
    ['Cost', sayAmount(total.price), 'at the prices of this service'],
    ['Kept now', formatBytes(now.keptBytes), 'results and uploaded sources'],
  ]
  return (
    <dl class="figures">
      {figures.map(([label, value, more]) => (
        <div>
          <dt>{label}</dt>
          <dd>
            {value}
            <small>{more}</small>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function CostTable({ total: { work, prices, resultBytes, price } }: Pick<UsageRecord, 'total'>) {
  if (price === 0) return null
  const rows = kinds.map(({ label, kind }) => [
    label,
    formatSeconds(work[kind]),
    sayAmount(prices[kind]),
  ])
  rows.push(['Results', formatBytes(resultBytes), sayAmount(prices.results)])
  return (
    <section class="days">
      <h2>What it cost</h2>
      <DataTable caption="The cost of these days by kind of work" columns={costs} rows={rows} />
    </section>
  )
}

const costs = ['Work', 'Amount', 'Cost'] as const

const columns = [
  'Day',
  'Ready',
  'Failed',
  'Canceled',
  'Minutes in',
  'Minutes out',
  'Processor time',
  'Cost',
  'Kept at its end',
] as const

const isUsed = (day: UsageDay) =>
  day.succeeded + day.failed + day.canceled + day.processorSeconds > 0

function DayTable({ usage: { days } }: { usage: UsageRecord }) {
  const used = days.filter(isUsed).toReversed()
  const rows = used.map((day) => [
    day.date,
    day.succeeded,
    day.failed,
    day.canceled,
    formatSeconds(day.minutesIn * 60),
    formatSeconds(day.minutesOut * 60),
    formatSeconds(day.processorSeconds),
    sayAmount(day.price),
    formatBytes(day.keptBytes),
  ])
  return (
    <section class="days">
      <h2>Day by day</h2>
      {rows.length === 0 ? (
        <p class="soft">
          No video ended on these days. Each day on which one does gets a line here.
        </p>
      ) : (
        <DataTable caption="Days on which a video ended" columns={columns} endsRight rows={rows} />
      )}
    </section>
  )
}
