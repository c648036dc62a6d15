import { charged, planDollars, prices, type Charged, type Usage } from './prices.ts'

export type BillLine = {
  readonly charged: Charged
  readonly used: number
  readonly dollars: number
}

/** What this much costs, without what the plan includes. */
export function billOf(usage: Usage, times: number): BillLine[] {
  return charged.map((name) => {
    const used = usage[name] * times
    return { charged: name, used, dollars: (used / prices[name].per) * prices[name].dollars }
  })
}

/** What a month costs, with the plan and what it includes. */
export function monthlyBill(usage: Usage, videos: number): BillLine[] {
  return charged.map((name) => {
    const { per, dollars, included } = prices[name]
    const used = usage[name] * videos
    return { charged: name, used, dollars: (Math.max(0, used - included) / per) * dollars }
  })
}

export function sumOf(lines: readonly BillLine[]): number {
  return lines.reduce((sum, { dollars }) => sum + dollars, 0)
}

export function monthlyDollars(usage: Usage, videos: number): number {
  return planDollars + sumOf(monthlyBill(usage, videos))
}
