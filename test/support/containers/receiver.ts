import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  outputRequest,
  type OutputKind,
  type OutputRequest,
} from '../../../worker/contract/job/media-job.ts'
import { partsRequest } from '../../../worker/contract/job/part-job.ts'
import { report, type Report } from '../../../worker/contract/job/report.ts'
import { signatureHeader, verifyMessage } from '../../../worker/contract/job/signed-message.ts'
import { listen } from '../node/listen.ts'

type Final = Exclude<Report, { type: 'progress' | 'fetched' }>
type ReportOf<Type extends Report['type']> = Extract<Report, { type: Type }>

export const reportKey = 'the-key-of-this-job-and-fence'

/** What the Worker does with reports and parts, over real HTTP; every message must be rightly signed. */
export type Receiver = {
  reportsUrl: string
  reports: Report[]
  outputRequests: OutputRequest[]
  /** The bytes of the parts, joined; of the video when no kind is named. */
  output(kind?: OutputKind): Buffer
  /** Answers every report from now on with this. */
  answerWith(answer: Answer): void
  /** The first report of this type, when it comes or has come. */
  next<Type extends Report['type']>(type: Type): Promise<ReportOf<Type>>
  /** The first report that fits, when it comes or has come. */
  when(fits: (report: Report) => boolean): Promise<Report>
  /** The report that ends the attempt. Rejects if a check has raised a false alarm. */
  end(): Promise<Final>
  close: () => Promise<void>
}

/** How far each report of progress says the job is. */
export function percentsOf(reports: readonly Report[]): number[] {
  return reports.flatMap((said) => (said.type === 'progress' ? [said.progressPercent] : []))
}

type Answer = { status: number; body?: unknown }
export type ReceiverOptions = {
  partSizeBytes?: number
  /** How often each part is refused with 503 before it is taken. */
  refusalsPerPart?: number
  /** Outputs that get no addresses. */
  refusedKinds?: readonly OutputKind[]
  /** What the account has heard before, by name; what is heard now comes to it. */
  words?: Map<string, string>
  /** Whether a film may be told as spoilt. */
  allowsAlarms?: boolean
}

const carryOn: Answer = { status: 200, body: { action: 'carry-on' } }

export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const reports: Report[] = []
  const outputRequests: OutputRequest[] = []
  const parts = new Map<string, Buffer>()
  const refusals = new Map<string, number>()
  const arrivals = new EventEmitter().setMaxListeners(100)
  const partSizeBytes = options.partSizeBytes ?? 50_000
  let answer = carryOn

  const grant = (body: unknown): Answer => {
    const asked = outputRequest.parse(body)
    if (options.refusedKinds?.includes(asked.kind)) return { status: 503 }
    outputRequests.push(asked)
    const count = Math.ceil(asked.sizeBytes / partSizeBytes)
    const numbers = Array.from({ length: count }, (_, i) => i + 1)
    const urls = numbers.map((n) => ({
      partNumber: n,
      url: `${server.origin}/parts/${asked.kind}/${n}?token=secret`,
    }))
    return { status: 200, body: { partSizeBytes, parts: urls } }
  }
  const take = (body: unknown): Answer => {
    const said = report.parse(body)
    reports.push(said)
    arrivals.emit('report', said)
    return answer
  }
  const putPart = (part: string, bytes: Buffer, response: ServerResponse): void => {
    const refused = refusals.get(part) ?? 0
    refusals.set(part, refused + 1)
    if (refused < (options.refusalsPerPart ?? 0)) {
      response.writeHead(503).end()
      return
    }
    parts.set(part, bytes)
    response.writeHead(200, { ETag: etagOf(bytes) }).end()
  }
  const server = await listen((request, response) => {
    void readBody(request).then(async (bytes) => {
      const url = new URL(request.url ?? '/', 'http://local')
      const part = /^\/parts\/([\w.-]+\/\d+)$/.exec(url.pathname)?.[1]
      if (part !== undefined) return putPart(part, bytes, response)
      const text = bytes.toString()
      const header = request.headers[signatureHeader.toLowerCase()]
      const isSigned = await verifyMessage(reportKey, text, String(header), Date.now())
      const body: unknown = JSON.parse(text)
      const result = !isSigned
        ? { status: 401 }
        : url.pathname.endsWith('/parts')
          ? { status: 200, body: answerParts(body, options.words) }
          : url.pathname.endsWith('/outputs')
            ? grant(body)
            : take(body)
      response.writeHead(result.status).end(JSON.stringify(result.body ?? {}))
    })
  })

  const when = async (fits: (report: Report) => boolean): Promise<Report> =>
    new Promise((resolve) => {
      const known = reports.find(fits)
      if (known) return resolve(known)
      const check = (said: Report): void => {
        if (!fits(said)) return
        arrivals.off('report', check)
        resolve(said)
      }
      arrivals.on('report', check)
    })
  return {
    reportsUrl: `${server.origin}/internal/jobs/j_test/reports`,
    reports,
    outputRequests,
    output: (kind = 'final') => joined(parts, kind),
    answerWith(next) {
      answer = next
    },
    async next(type) {
      return (await when((said) => said.type === type)) as ReportOf<typeof type>
    },
    when,
    async end() {
      const end = (await when(({ type }) => type !== 'progress' && type !== 'fetched')) as Final
      if (!options.allowsAlarms) refuseAlarms(end)
      return end
    },
    close: server.close,
  }
}

/** Nobody else renders or hears parts. */
function answerParts(body: unknown, words = new Map<string, string>()): unknown {
  const asked = partsRequest.parse(body)
  if (asked.ask === 'remember') words.set(asked.name, asked.text)
  const names = asked.ask === 'recall' ? asked.names : []
  const windows = names.flatMap((name) => {
    const text = words.get(name)
    return text === undefined ? [] : [{ name, text }]
  })
  return { idle: 0, beside: 0, windows, off: false }
}

/** What the tests render is as it has to be. */
function refuseAlarms(end: Final): void {
  if (end.type !== 'succeeded') return
  const all = [...(end.checks ?? []), ...(end.named ?? []).flatMap(({ checks = [] }) => checks)]
  // Where a text was put is the choice of a test.
  const alarm = all.find(({ name, result }) => result !== 'passed' && name !== 'title-safe')
  if (alarm) throw new Error(`A check has raised a false alarm: ${JSON.stringify(alarm)}`)
}

/** Named by kind and number: `final/2`. */
function joined(parts: ReadonlyMap<string, Buffer>, kind: OutputKind): Buffer {
  const numbered = [...parts.entries()].flatMap(([name, bytes]) => {
    const [of, number] = name.split('/')
    return of === kind ? [{ number: Number(number), bytes }] : []
  })
  return Buffer.concat(numbered.sort((a, b) => a.number - b.number).map(({ bytes }) => bytes))
}

export function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
