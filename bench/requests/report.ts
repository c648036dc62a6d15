import type { Comparison, SideFigures, Spread } from './figures.ts'

/** Judged by the middle round: single ones are bent by whatever else the machine does. */
export function keepsLimit(comparison: Comparison, limit: number | undefined): boolean {
  return limit === undefined || comparison.ratio.median >= limit
}

export function reportLines(
  title: string,
  comparison: Comparison,
  limit: number | undefined,
): string[] {
  const { ratio } = comparison
  const verdict = keepsLimit(comparison, limit) ? 'ok' : 'below the limit'
  return [
    title,
    row('', ['requests/s', '(min … max)', 'p50 ms', 'p99 ms', 'CPU ms']),
    sideRow('service', comparison.service),
    sideRow('bare', comparison.bare),
    row('ratio', [ratio.median.toFixed(2), range(ratio, 2), '', '', cpuRatio(comparison)]) +
      (limit === undefined ? '  no limit' : `  limit ${limit.toFixed(2)}: ${verdict}`),
    '',
  ]
}

/** The same way round as the throughput: what the bare Worker needs of what the service needs. */
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
