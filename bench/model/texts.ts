import { inputs } from './inputs.ts'
import { steps, type Counts, type Step } from './measured.ts'
import { billOf, monthlyDollars, prices, sumOf } from './prices.ts'
import { objectCalls, stepsOfAVideo, usageOfAVideo } from './use-of-a-video.ts'
import { listWalls, reachedAt, wallOfACell, type Wall } from './walls.ts'

const hoursAMonth = 30 * 24
/** The mean loads in the tables, in videos an hour. */
const loads = [10, 1_000, 100_000] as const

/** The tables of docs/operators/scale.md, by the names of their marks. */
export function modelTexts(): Record<string, string> {
  return {
    'model: steps': stepsTable(),
    'model: inputs': inputsTable(),
    'model: bill': billTable(),
    'model: months': monthsTable(),
    'model: walls': wallsTable(),
    'model: cells': cellsTable(),
  }
}

/** What each step of a job uses, and how often a video takes it. */
function stepsTable(): string {
  const times = stepsOfAVideo()
  const columns: readonly (readonly [string, (used: Counts) => number])[] = [
    ['Requests', (used) => used.workerRequests],
    ['Calls of objects', objectCalls],
    ['Statements', (used) => used.statements],
    ['Rows read', (used) => used.rowsRead],
    ['Rows written', (used) => used.rowsWritten],
    ['R2, class A', (used) => used.bucketWrites],
    ['R2, class B', (used) => used.bucketReads],
    ['Messages', (used) => used.messages],
  ]
  const rows = Object.entries(steps).map(([step, used]) => [
    ...[step, number(times[step as Step])],
    ...columns.map(([, of]) => number(of(used))),
  ])
  return table(['Step', 'Of a video', ...columns.map(([name]) => name)], rows)
}

function inputsTable(): string {
  const rows = Object.values(inputs).map(({ name, unit, value, from }) => [
    name,
    `${number(value)}${unit ? ` ${unit}` : ''}`,
    from,
  ])
  return table(['What', 'Figure', 'From'], rows, ['left', 'right', 'left'])
}

function billTable(): string {
  const lines = billOf(usageOfAVideo())
  const all = sumOf(lines)
  const rows = lines.map(({ charged, used, dollars }) => {
    const { product, unit, per, page, read } = prices[charged]
    const price = `$${number(prices[charged].dollars)}${per === 1 ? '' : ' a million'}`
    return [product, `${number(used)} ${unit}`, price, money(dollars * 1000), `${page}, ${read}`]
  })
  rows.push(['**Together**', '', '', `**${money(all * 1000)}**`, ''])
  return table(['What', 'One video', 'Price of a unit', '1,000 videos', 'From'], rows, [
    ...(['left', 'left', 'left', 'right', 'left'] as const),
  ])
}

function monthsTable(): string {
  const usage = usageOfAVideo()
  const rows = loads.map((perHour) => {
    const videos = perHour * hoursAMonth
    const dollars = monthlyDollars(usage, videos)
    const first = firstWall(perHour)
    return [
      whole(perHour),
      whole(videos),
      `$${whole(dollars)}`,
      money((dollars / videos) * 1000),
      first ? `${first.name}, at ${whole(reachedAt(first))}` : 'none',
    ]
  })
  return table(['Videos an hour', 'A month', 'Bill', '1,000 videos', 'Reached first'], rows)
}

/** The limit that is reached first at this load: the one that allows the fewest videos. */
function firstWall(perHour: number): Wall | undefined {
  return wallsInOrder().find((wall) => reachedAt(wall) <= perHour)
}

function wallsInOrder(): Wall[] {
  return listWalls().toSorted((a, b) => reachedAt(a) - reachedAt(b))
}

function wallsTable(): string {
  const rows = wallsInOrder().map((wall) => [
    wall.name,
    `${whole(wall.limit)} ${wall.unit}`,
    whole(reachedAt(wall)),
    ...loads.map((perHour) => filled(perHour / reachedAt(wall))),
    wall.from,
  ])
  return table(
    ['Limit', 'It is', 'Reached at', ...loads.map((perHour) => `At ${whole(perHour)}`), 'From'],
    rows,
    ['left', 'left', ...loads.map(() => 'right' as const), 'right', 'left'],
  )
}

/** From this share on, the service warns that a database is nearly full. */
const nearlyFull = 0.8

/** The load that one deployment can carry, by the days for which records stay in D1, and how many deployments each load needs. */
function cellsTable(): string {
  const rows = [90, 30, 7].map((days) => {
    const first = wallOfACell(days)
    const due = reachedAt(first) * nearlyFull
    return [
      `${days} days`,
      first.name,
      whole(reachedAt(first)),
      whole(due),
      ...loads.map((perHour) => whole(Math.ceil(perHour / due))),
    ]
  })
  return table(
    [
      ...['Records stay in D1', 'Reached first', 'At videos an hour', 'The next is due at'],
      ...loads.map((perHour) => `Cells for ${whole(perHour)}`),
    ],
    rows,
    ['left', 'left', 'right', 'right', ...loads.map(() => 'right' as const)],
  )
}

function filled(share: number): string {
  const percent = `${share < 0.1 ? number(share * 100) : whole(share * 100)} %`
  return share >= 1 ? `**${percent}**` : percent
}

type Side = 'left' | 'right'

function table(heading: readonly string[], rows: readonly (readonly string[])[], sides?: Side[]) {
  const side = (i: number): Side => sides?.[i] ?? (i === 0 ? 'left' : 'right')
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const marks = heading.map((_, i) => (side(i) === 'left' ? '---' : '---:'))
  return [line(heading), line(marks), ...rows.map(line)].join('\n')
}

/** Rounds to three significant digits. */
function number(value: number): string {
  if (value === 0) return '0'
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(12, digits) })
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

function money(dollars: number): string {
  return `$${dollars.toFixed(2)}`
}
