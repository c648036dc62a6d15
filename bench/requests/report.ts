import type { Comparison, SideFigures, Spread } from './figures.ts'

export type Limits = {
  /** The least share of the bare Worker's throughput; undefined if it is only shown. */
  throughput: number | undefined
  /** The largest share of the processor time in `wrangler dev`. */
  cpuShare: number | undefined
}

/** Judges by the median round, because other work on the machine distorts single ones. */
export function keepsLimits({ ratio, cpuShare }: Comparison, limits: Limits): boolean {
  const fastEnough = limits.throughput === undefined || ratio.median >= limits.throughput
  const smallEnough =
    limits.cpuShare === undefined || cpuShare === undefined || cpuShare <= limits.cpuShare
  return fastEnough && smallEnough
}

export function reportLines(title: string, comparison: Comparison, limits: Limits): string[] {
  const { ratio, cpuShare } = comparison
  return [
    title,
    row('', ['requests/s', '(min … max)', 'p50 ms', 'p99 ms', 'CPU ms']),
    sideRow('service', comparison.service),
    sideRow('bare', comparison.bare),
    sideRow('dev', comparison.dev),
    row('of bare', [ratio.median.toFixed(2), range(ratio, 2), '', '', cpuRatio(comparison)]) +
      verdict(limits.throughput, (limit) => ratio.median >= limit, 'at least'),
    row('of dev', ['', '', '', '', cpuShare?.toFixed(2) ?? '-']) +
      verdict(limits.cpuShare, (limit) => cpuShare === undefined || cpuShare <= limit, 'at most'),
    '',
  ]
}

function verdict(limit: number | undefined, keeps: (limit: number) => boolean, rule: string) {
  if (limit === undefined) return '  no limit'
  return `  limit ${rule} ${limit.toFixed(2)}: ${keeps(limit) ? 'ok' : 'not kept'}`
}

/** In the same direction as throughput: the bare Worker's time divided by the service's. */
function cpuRatio({ service, bare }: Comparison): string {
  if (service.cpuMs === undefined || bare.cpuMs === undefined) return '-'
  return (bare.cpuMs / service.cpuMs).toFixed(2)
}

function sideRow(name: string, { perSecond, p50Ms, p99Ms, cpuMs }: SideFigures): string {
  return row(name, [
    perSecond.median.toFixed(0),
    range(perSecond, 0),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    cpuMs?.toFixed(1) ?? '-',
  ])
}

function range({ min, max }: Spread, digits: number): string {
  return `(${min.toFixed(digits)} … ${max.toFixed(digits)})`
}

function row(name: string, cells: readonly string[]): string {
  const widths = [10, 15, 8, 8, 8]
  const padded = cells.map((cell, i) => cell.padStart(widths[i] ?? 0))
  return `  ${name.padEnd(8)}${padded.join(' ')}`
}
