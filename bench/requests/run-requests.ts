import { Agent, request } from 'node:http'
import path from 'node:path'
import { z } from 'zod'
import { benchmark, median, quantile, say, type Run } from '../benchmark.ts'
import { HostedWorker, serviceWith, type WorkerPlan } from '../service/hosted-worker.ts'

const kinds = [
  { name: 'read', title: 'Status read, GET /v1/videos/{videoId}', limit: 0.7 },
  { name: 'create', title: 'Create, POST /v1/videos', limit: 0.65 },
] as const
type Kind = (typeof kinds)[number]

/** These rounds are not counted: they compile code and open connections. */
const warmUpRounds = 2

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
    rounds: {
      fallback: 12,
      min: 1,
      max: 100,
      means: 'pairs of slices for each of the two requests',
    },
    ms: { fallback: 1000, min: 100, max: 10_000, means: 'length of one slice' },
    connections: { fallback: 8, min: 1, max: 64, means: 'kept-alive, with one request at a time' },
  },
  async measure(asked, run) {
    const at = (name: string) => path.join(run.folder, name)
    const entry = path.join(import.meta.dirname, 'entry.js')
    const service = await HostedWorker.start(serviceWith(entry), at('service'), run)
    const sides: Sides = {
      bare: await sideOf(await HostedWorker.start(bare, at('bare'), run), '/videos', {}),
      service: await sideOf(service, '/v1/videos', {
        Authorization: `Bearer ${await service.localKey()}`,
      }),
    }
    say(`${asked.connections} connections, ${asked.rounds} rounds of ${asked.ms} ms a side\n`)
    for (const kind of kinds) report(kind, await playRounds(sides, kind, asked, run), run)
  },
})

type Wire = { method: string; url: string; headers: Record<string, string>; body?: string }
/** Makes the n-th request of each kind, so that reads cover many rows. */
type Side = { worker: HostedWorker; read: (n: number) => Wire; create: (n: number) => Wire }
type Sides = { service: Side; bare: Side }

/** How many rows the reads cover. */
const rows = 50

/** A typical request; its source is never fetched, because there is no media worker. */
const createBody = JSON.stringify({
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
      type: 'image',
      url: 'https://media.example.com/logo.png',
      position: { anchor: 'bottom-right' },
      size: { width: '12%' },
      timing: { startTime: 1, endTime: 20 },
    },
  ],
})

const created = z.object({ videoId: z.string() })

async function sideOf(
  worker: HostedWorker,
  route: string,
  headers: Record<string, string>,
): Promise<Side> {
  const url = worker.baseUrl + route
  const json = { ...headers, 'Content-Type': 'application/json' }
  const create: Wire = { method: 'POST', url, headers: json, body: createBody }
  const ids: string[] = []
  const agent = new Agent()
  while (ids.length < rows) {
    ids.push(created.parse(JSON.parse(await send(create, agent))).videoId)
  }
  return {
    worker,
    read: (n) => ({ method: 'GET', url: `${url}/${ids[n % rows] ?? ''}`, headers }),
    create: () => create,
  }
}

type Slice = { perSecond: number; latenciesMs: number[]; cpuMs: number }
type Round = { service: Slice; bare: Slice }

/** Runs short slices of both sides alternately; the order changes with every round. */
async function playRounds(
  sides: Sides,
  { name }: Kind,
  { rounds, ...asked }: { rounds: number; ms: number; connections: number },
  { stop }: Run,
): Promise<Round[]> {
  const slice = async ({ worker, [name]: wire }: Side) =>
    driveSlice(wire, worker, { ...asked, stop })
  const played: Round[] = []
  for (let n = -warmUpRounds; n < rounds; n++) {
    const isSwapped = n % 2 !== 0
    const first = await slice(isSwapped ? sides.bare : sides.service)
    const second = await slice(isSwapped ? sides.service : sides.bare)
    if (n < 0) continue
    played.push(isSwapped ? { service: second, bare: first } : { service: first, bare: second })
  }
  return played
}

/**
 * Sends one request after another on every connection until the time is over. Connections are kept only for one slice:
 * the server closes idle ones, and a request sent at that moment would be lost.
 */
async function driveSlice(
  wire: (n: number) => Wire,
  worker: HostedWorker,
  { connections, ms, stop }: { connections: number; ms: number; stop: AbortSignal },
): Promise<Slice> {
  const latenciesMs: number[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const [cpuBefore, startedAt] = [worker.cpuSeconds(), performance.now()]
  let sent = 0
  const onConnection = async () => {
    while (performance.now() - startedAt < ms) {
      stop.throwIfAborted()
      const sentAt = performance.now()
      await send(wire(sent++), agent)
      latenciesMs.push(performance.now() - sentAt)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, onConnection))
  } finally {
    agent.destroy()
  }
  const count = latenciesMs.length
  const perSecond = (count * 1000) / (performance.now() - startedAt)
  return { perSecond, latenciesMs, cpuMs: ((worker.cpuSeconds() - cpuBefore) * 1000) / count }
}

/** Reads the whole answer; any status but 200 and 202 ends the run. */
async function send({ url, body, ...options }: Wire, agent: Agent): Promise<string> {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
  const headers = { ...options.headers, ...length }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...options, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 202) resolve(text)
        else reject(new Error(`${url} answered ${response.statusCode ?? '?'}: ${text}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Judges by the round in the middle, because other work on the machine distorts single ones. */
function report({ title, limit }: Kind, rounds: readonly Round[], { judge }: Run): void {
  const row = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(8)}${cells.map((cell, i) => cell.padStart(i === 1 ? 15 : 10)).join('')}`
  const spread = (values: readonly number[], digits: number) => [
    median(values).toFixed(digits),
    `(${Math.min(...values).toFixed(digits)} … ${Math.max(...values).toFixed(digits)})`,
  ]
  say(`${title}\n${row('', ['requests/s', '(min … max)', 'p50 ms', 'p99 ms', 'CPU ms'])}`)
  for (const side of ['service', 'bare'] as const) {
    const slices = rounds.map((round) => round[side])
    const latencies = slices.flatMap(({ latenciesMs }) => latenciesMs)
    const cells = [quantile(latencies, 0.5), quantile(latencies, 0.99), cpuOf(rounds, side)]
    const speeds = spread(
      slices.map(({ perSecond }) => perSecond),
      0,
    )
    say(row(side, [...speeds, ...cells.map((cell) => cell.toFixed(1))]))
  }
  const ratios = rounds.map(({ service, bare }) => service.perSecond / bare.perSecond)
  const cpuRatio = cpuOf(rounds, 'bare') / cpuOf(rounds, 'service')
  const cells = [...spread(ratios, 2), '', '', cpuRatio.toFixed(2)]
  judge(row('of bare', cells), `at least ${limit.toFixed(2)}`, median(ratios) >= limit)
}

function cpuOf(rounds: readonly Round[], side: keyof Round): number {
  return median(rounds.map((round) => round[side].cpuMs))
}
