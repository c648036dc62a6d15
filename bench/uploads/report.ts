export type Way = 'upload' | 'raw' | 'parser'
export type Measured = {
  megabytes: number
  way: Way
  seconds: number
  cpuSeconds: number
  /** Memory of the runtime in MiB: when it was ready, and its peak. */
  before: number
  peak: number
}

export type Verdict = { text: string; kept: boolean }

const names: Record<Way, string> = {
  upload: 'POST /v1/videos/upload',
  raw: 'raw PUT into R2',
  parser: 'the parser alone',
}

export function tableLines(all: readonly Measured[]): string[] {
  const head = '    MB  way                       MB/s  CPU s/GB  peak MiB  growth MiB'
  return [
    head,
    ...all.map((one) =>
      [
        String(one.megabytes).padStart(6),
        ` ${names[one.way].padEnd(23)}`,
        (one.megabytes / one.seconds).toFixed(1).padStart(7),
        ((one.cpuSeconds / one.megabytes) * 1024).toFixed(1).padStart(9),
        one.peak.toFixed(0).padStart(9),
        (one.peak - one.before).toFixed(0).padStart(11),
      ].join(' '),
    ),
  ]
}

/** Compares the results with the budgets of the design. */
export function verdicts(all: readonly Measured[]): Verdict[] {
  const sizes = all.map(({ megabytes }) => megabytes)
  const [small, large] = [Math.min(...sizes), Math.max(...sizes)]
  const at = (megabytes: number, way: Way) => find(all, megabytes, way)
  const growth = ({ peak, before }: Measured) => peak - before
  const parser = growth(at(large, 'parser'))
  const beyond = at(large, 'upload').peak - at(small, 'upload').peak
  const besideRaw = growth(at(large, 'upload')) - growth(at(large, 'raw'))
  const speed = at(large, 'raw').seconds / at(large, 'upload').seconds
  return [
    verdict(`parser alone grows by ${mib(parser)} at ${large} MB`, 'at most 64 MiB', parser <= 64),
    verdict(
      `peak at ${large} MB less peak at ${small} MB: ${mib(beyond)}`,
      'at most 16 MiB',
      beyond <= 16,
    ),
    verdict(
      `growth at ${large} MB less that of the raw PUT: ${mib(besideRaw)}`,
      'at most 0',
      besideRaw <= 0,
    ),
    verdict(
      `throughput at ${large} MB: ${speed.toFixed(2)} of the raw PUT`,
      'at least 1',
      speed >= 1,
    ),
  ]
}

function verdict(what: string, limit: string, kept: boolean): Verdict {
  return { text: `${what}  limit ${limit}: ${kept ? 'ok' : 'below the limit'}`, kept }
}

function mib(value: number): string {
  return `${value.toFixed(0)} MiB`
}

function find(all: readonly Measured[], megabytes: number, way: Way): Measured {
  const found = all.find((one) => one.megabytes === megabytes && one.way === way)
  if (!found) throw new Error(`${way} at ${megabytes} MB was not measured`)
  return found
}
