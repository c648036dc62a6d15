import { copyFileSync, cpSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { root } from '../../scripts/machine/checkout.ts'
import { writeFileAtomically } from '../../scripts/machine/write-file.ts'
import { ensureLocalAccount } from '../../scripts/start/local-account.ts'
import type { Mode } from '../../scripts/start/run.ts'
import type { HostedWorker } from './hosted-worker.ts'
import { startSide } from './start-side.ts'

export type WireRequest = {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  expect: number
}

/** Makes the n-th request to one side, so that reads cover many rows. */
export type Target = (n: number) => WireRequest

export type SideTargets = { worker: HostedWorker; read: Target; create: Target }

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

type Launch = {
  folder: string
  stop: AbortSignal
  onStart: (worker: HostedWorker) => void
}

/** The service with its own code and settings; its queue consumer runs only if asked for. */
export async function launchService(
  launch: Launch,
  mode: Mode,
  dispatch: boolean,
): Promise<SideTargets> {
  const { folder, stop, onStart } = launch
  const source = copySource(path.join(folder, 'source'))
  const main = dispatch ? source : withoutConsumer(source, folder)
  const { worker, run } = await startSide(
    {
      name: mode === 'dev' ? 'The service in wrangler dev' : 'The service',
      mode,
      source: path.join(root, 'wrangler.toml'),
      folder,
      readyPath: '/health',
      main,
    },
    stop,
    onStart,
  )
  const target = { baseUrl: worker.baseUrl, adminSecret: run.secrets.adminSecret }
  const { apiKey } = await ensureLocalAccount(target, run.data.localAccount)
  return targetsOf(worker, '/v1/videos', { Authorization: `Bearer ${apiKey}` })
}

/**
 * Copies the sources, because Wrangler rebuilds when a source changes and an edit during the run must not delay it.
 * Returns the entry.
 */
export function copySource(folder: string): string {
  cpSync(path.join(root, 'worker'), path.join(folder, 'worker'), { recursive: true })
  copyFileSync(path.join(root, 'tsconfig.json'), path.join(folder, 'tsconfig.json'))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'dir')
  return path.join(folder, 'worker/index.ts')
}

/**
 * On the edge a consumer runs elsewhere; here it would share its process with the requests. So the service's messages
 * are taken off the queue in the way the bare Worker does it.
 */
function withoutConsumer(source: string, folder: string): string {
  const main = path.join(folder, 'entry.js')
  const service = JSON.stringify(source)
  writeFileAtomically(
    main,
    `import service from ${service}
export * from ${service}
export default { fetch: service.fetch, queue: (batch) => batch.ackAll() }
`,
    0o644,
  )
  return main
}

export async function launchBare(
  { folder, stop, onStart }: Launch,
  logs: boolean,
): Promise<SideTargets> {
  const source = path.join(import.meta.dirname, '../bare-worker/wrangler.toml')
  const variables = { LOG_LINES: logs ? '1' : '0' }
  const name = 'The bare Worker'
  const plan = { name, mode: 'server', source, folder, readyPath: '/', variables } as const
  const { worker } = await startSide(plan, stop, onStart)
  return targetsOf(worker, '/videos', {})
}

async function targetsOf(
  worker: HostedWorker,
  route: string,
  headers: Record<string, string>,
): Promise<SideTargets> {
  const url = worker.baseUrl + route
  const create: WireRequest = {
    method: 'POST',
    url,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: createBody,
    expect: 202,
  }
  const ids: string[] = []
  while (ids.length < rows) ids.push(await createOne(create))
  return {
    worker,
    read: (n) => ({ method: 'GET', url: `${url}/${ids[n % rows] ?? ''}`, headers, expect: 200 }),
    create: () => create,
  }
}

async function createOne({ url, body, ...rest }: WireRequest): Promise<string> {
  const response = await fetch(url, {
    method: rest.method,
    headers: rest.headers,
    body: body ?? null,
  })
  const text = await response.text()
  if (response.status !== rest.expect) throw new Error(`${url}: ${response.status} ${text}`)
  return created.parse(JSON.parse(text)).videoId
}
