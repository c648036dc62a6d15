/** What the platform charges beyond what the plan includes each month, in dollars. */
type Price = {
  readonly product: string
  readonly unit: string
  readonly dollars: number
  /** The number of units that the dollars pay for. */
  readonly per: number
  readonly included: number
  /** The page of developers.cloudflare.com, and the day on which it was last read. */
  readonly page: string
  readonly read: string
}

const million = 1e6
const workers = { product: 'Workers', page: 'workers/platform/pricing', read: '2026-08-03' }
const logs = { ...workers, page: 'workers/observability/logs/workers-logs' }
const objects = {
  ...{ product: 'Durable Objects', page: 'durable-objects/platform/pricing', read: '2026-08-03' },
}
const d1 = { product: 'D1', page: 'd1/platform/pricing', read: '2026-08-03' }
const queues = { product: 'Queues', page: 'queues/platform/pricing', read: '2026-08-03' }
const r2 = { product: 'R2', page: 'r2/pricing', read: '2026-08-03' }
const containers = { product: 'Containers', page: 'containers/pricing', read: '2026-11-21' }

type Page = Pick<Price, 'product' | 'page' | 'read'>

function each(unit: string, dollars: number, included: number, of: Page, per = 1): Price {
  return { ...of, unit, dollars, per, included }
}

function perMillion(unit: string, dollars: number, included: number, of: Page): Price {
  return each(unit, dollars, included, of, million)
}

/** The monthly price of the plan that includes all of this. */
const planDollars = 5

export const prices = {
  cpuSeconds: each('CPU seconds', 0.00002, 375 * 60, containers),
  memoryGibSeconds: each('GiB seconds of memory', 0.0000025, 25 * 3600, containers),
  diskGbSeconds: each('GB seconds of disk', 0.00000007, 200 * 3600, containers),
  egressGb: each('GB sent', 0.025, 1000, containers),
  bucketGbMonths: each('GB stored for a month', 0.015, 10, r2),
  bucketWrites: perMillion('operations of class A', 4.5, million, r2),
  bucketReads: perMillion('operations of class B', 0.36, 10 * million, r2),
  requests: perMillion('requests', 0.3, 10 * million, workers),
  cpuMs: perMillion('ms of CPU', 0.02, 30 * million, workers),
  logLines: perMillion('log lines', 0.6, 20 * million, logs),
  objectCalls: perMillion('calls', 0.15, million, objects),
  objectGbSeconds: perMillion('GB seconds in memory', 12.5, 400_000, objects),
  objectRowsWritten: perMillion('rows written', 1, 50 * million, objects),
  objectRowsRead: perMillion('rows read', 0.001, 25_000 * million, objects),
  rowsWritten: perMillion('rows written', 1, 50 * million, d1),
  rowsRead: perMillion('rows read', 0.001, 25_000 * million, d1),
  databaseGbMonths: each('GB stored for a month', 0.75, 5, d1),
  queueOperations: perMillion('operations', 0.4, million, queues),
}

type Charged = keyof typeof prices
const charged = Object.keys(prices) as Charged[]
export type Usage = Readonly<Record<Charged, number>>

type BillLine = { readonly charged: Charged; readonly used: number; readonly dollars: number }

/** The cost of a video beyond what the plan includes. */
export function billOf(usage: Usage): BillLine[] {
  return charged.map((name) => {
    const { per, dollars } = prices[name]
    return { charged: name, used: usage[name], dollars: (usage[name] / per) * dollars }
  })
}

export function sumOf(lines: readonly BillLine[]): number {
  return lines.reduce((sum, { dollars }) => sum + dollars, 0)
}

/** The cost of a month, with the plan and what it includes. */
export function monthlyDollars(usage: Usage, videos: number): number {
  return charged.reduce((sum, name) => {
    const { per, dollars, included } = prices[name]
    return sum + (Math.max(0, usage[name] * videos - included) / per) * dollars
  }, planDollars)
}
