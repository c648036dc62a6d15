import path from 'node:path'
import { benchmark, byTurns, median, quantile, range, say, type Run } from '../benchmark.ts'
import { drive, type Wire } from '../service/drive.ts'
import { HostedWorker, serviceWith, type WorkerPlan } from '../service/hosted-worker.ts'

const kinds = [
  { name: 'read', title: 'Status read, GET /v1/videos/{videoId}', limit: 0.7 },
  { name: 'create', title: 'Create, POST /v1/videos', limit: 0.65 },
] as const
type Kind = (typeof kinds)[number]

/** These rounds are not counted: they compile code and open connections. */
const warmUpRounds = 2
/** The connections are kept alive, with one request at a time on each. */
const connections = 8

const bare: WorkerPlan = {
  name: 'the bare Worker',
  source: path.join(import.meta.dirname, 'bare-worker/wrangler.toml'),
  readyPath: '/',
}

export const requests = benchmark({
  summary: 'status reads and creates against a bare Worker',
  takes: 'two minutes',
  about: `Starts the service and a bare Worker with the same hops side by side on the loopback, drives them by turns, and compares
their throughput and processor time.`,
  numbers: {
    rounds: [12, 'pairs of slices for each of the two requests'],
    ms: [1000, 'length of one slice'],
  },
  async measure({ rounds, ms }, run) {
    const at = (name: string) => path.join(run.folder, name)
    const entry = path.join(import.meta.dirname, 'entry.js')
    const service = await HostedWorker.start(serviceWith(entry), at('service'), run)
    const key = await service.localKey()
    const alone = await HostedWorker.start(bare, at('bare'), run)
    const sides = {
      service: await sideOf(service, { route: '/v1/videos', key }, run),
      bare: await sideOf(alone, { route: '/videos' }, run),
    }
    say(`${connections} connections, ${rounds} rounds of ${ms} ms a side\n`)
    for (const kind of kinds) {
      const slice = (side: Side) => async () => driveSlice(side, kind.name, ms)
      const slices = { service: slice(sides.service), bare: slice(sides.bare) }
      report(kind, await byTurns(rounds, slices, warmUpRounds), run)
    }
  },
})

/** One of the two Workers; `read` and `create` make the n-th request of their kind, so that reads cover many rows. */
type Side = { worker: HostedWorker; read: (n: number) => Wire; create: (n: number) => Wire }

/** How many rows the reads cover. */
const rows = 50

/** A typical request; its source is never fetched, because there is no media worker. */
const wish = {
  fileUrl: 'https://media.example.com/talks/opening.mp4',
  videoName: 'Opening talk',
  webhookUrl: 'https://hooks.example.com/spool',
  metadata: { project: 'p-1042', speaker: 'A. Lovelace' },
  removeSilence: true,
  normalizeAudio: true,
  outputFormat: 'mp4',
  aspectRatio: '9:16',
  removeSegments: [{ startTime: 0, endTime: 2.5 }],
  elements: [
    {
      ...{ type: 'image', url: 'https://media.example.com/logo.png', size: { width: '12%' } },
      ...{ position: { anchor: 'bottom-right' }, timing: { startTime: 1, endTime: 20 } },
    },
  ],
}
const createBody = JSON.stringify(wish)

async function sideOf(
  worker: HostedWorker,
  { route, key = '' }: { route: string; key?: string },
  { stop: signal }: Run,
): Promise<Side> {
  const url = worker.baseUrl + route
  const headers = { Authorization: `Bearer ${key}` }
  const json = {
    ...{ ...headers, 'Content-Type': 'application/json' },
    'Content-Length': Buffer.byteLength(createBody),
  }
  const ids: string[] = []
  while (ids.length < rows) ids.push(await worker.createVideo(key, wish, route))
  return {
    worker,
    read: (n) => ({ url: `${url}/${ids[n % rows] ?? ''}`, headers, signal }),
    create: () => ({ method: 'POST', url, headers: json, body: createBody, signal }),
  }
}

type Slice = { perSecond: number; latenciesMs: number[]; cpuMs: number }
type Round = { service: Slice; bare: Slice }

async function driveSlice(
  { worker, ...wires }: Side,
  kind: Kind['name'],
  ms: number,
): Promise<Slice> {
  const latenciesMs: number[] = []
  const [cpuBefore, startedAt] = [worker.cpuSeconds(), performance.now()]
  let sent = 0
  const next = () => (performance.now() - startedAt < ms ? wires[kind](sent++) : undefined)
  await drive(connections, next, ({ tookMs }) => latenciesMs.push(tookMs))
  const perSecond = (sent * 1000) / (performance.now() - startedAt)
  return { perSecond, latenciesMs, cpuMs: ((worker.cpuSeconds() - cpuBefore) * 1000) / sent }
}

/** Judges by the median round, because other work on the machine distorts single ones. */
function report({ title, limit }: Kind, rounds: readonly Round[], { judge }: Run): void {
  say(`${title}\n          requests/s    (min … max)   p50 ms   p99 ms   CPU ms`)
  const cpuOf = (side: keyof Round) => median(rounds.map((round) => round[side].cpuMs))
  const spread = (values: readonly number[], digits: number): string =>
    `${median(values).toFixed(digits).padStart(10)}${range(values, digits).padStart(15)}`
  for (const side of ['service', 'bare'] as const) {
    const latencies = rounds.flatMap((round) => round[side].latenciesMs)
    const cells = [quantile(latencies, 0.5), quantile(latencies, 0.99), cpuOf(side)]
    const speeds = rounds.map((round) => round[side].perSecond)
    const rest = cells.map((cell) => cell.toFixed(1).padStart(9)).join('')
    say(`  ${side.padEnd(8)}${spread(speeds, 0)}${rest}`)
  }
  const ratios = rounds.map(({ service, bare }) => service.perSecond / bare.perSecond)
  const cpu = (cpuOf('bare') / cpuOf('service')).toFixed(2).padStart(27)
  const isKept = median(ratios) >= limit
  judge(`  of bare ${spread(ratios, 2)}${cpu}`, `at least ${limit.toFixed(2)}`, isKept)
}
