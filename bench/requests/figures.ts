import type { Slice } from './drive.ts'

export type Spread = { min: number; median: number; max: number }

/** The figures of one side of a comparison, over all its slices. */
export type SideFigures = {
  perSecond: Spread
  p50Ms: number
  p99Ms: number
  cpuMs: number | undefined
}

export type SideName = 'service' | 'bare' | 'dev'

export type Comparison = Record<SideName, SideFigures> & {
  /** Throughput of the service as a share of the bare Worker's. */
  ratio: Spread
  /** Processor time of a request to the service as a share of the same in `wrangler dev`. */
  cpuShare: number | undefined
}

/** Slices of the same round ran next to each other in time, so other work on the machine affected both. */
export type Round = Record<SideName, Slice>

export function compare(rounds: readonly Round[]): Comparison {
  const service = figuresOf(rounds.map((round) => round.service))
  const dev = figuresOf(rounds.map((round) => round.dev))
  return {
    service,
    dev,
    bare: figuresOf(rounds.map((round) => round.bare)),
    cpuShare: service.cpuMs && dev.cpuMs ? service.cpuMs / dev.cpuMs : undefined,
    ratio: spread(rounds.map(({ service, bare }) => perSecond(service) / perSecond(bare))),
  }
}

function figuresOf(slices: readonly Slice[]): SideFigures {
  const latenciesMs = slices.flatMap((slice) => slice.latenciesMs)
  return {
    perSecond: spread(slices.map(perSecond)),
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    cpuMs: cpuMsPerRequest(slices),
  }
}

function perSecond({ seconds, latenciesMs }: Slice): number {
  return latenciesMs.length / seconds
}

function cpuMsPerRequest(slices: readonly Slice[]): number | undefined {
  let [cpuMs, requests] = [0, 0]
  for (const { cpuSeconds, latenciesMs } of slices) {
    if (cpuSeconds === undefined) return undefined
    cpuMs += cpuSeconds * 1000
    requests += latenciesMs.length
  }
  return cpuMs / requests
}

function spread(values: readonly number[]): Spread {
  return { min: quantile(values, 0), median: quantile(values, 0.5), max: quantile(values, 1) }
}

/** A quantile, interpolated between two values of the sample. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}
