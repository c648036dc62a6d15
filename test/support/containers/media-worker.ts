import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { signatureHeader, signMessage } from '../../../worker/contract/job/signed-message.ts'

export const token = 'a-token-for-tests-only'
const root = path.resolve(import.meta.dirname, '../../..')

export type MediaWorker = {
  pid: number
  origin: string
  workDir: string
  logLines: string[]
  /** Posts signed JSON. */
  post(path: string, body: unknown, secret?: string): Promise<Response>
  kill(signal: NodeJS.Signals): void
  /** The exit code, once it has ended. */
  exited: Promise<number | null>
  stop: () => Promise<void>
}

/** With what Node has compiled before, a media worker starts in half the time. */
const { NODE_COMPILE_CACHE } = process.env
const compileCache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }

/** No media worker outlives the process that tests it, which may be killed. */
const endsWithTests = `data:text/javascript,${encodeURIComponent(`
  import { rmSync } from 'node:fs'
  const folder = process.env.SPOOL_WORK_DIR
  process.on('disconnect', () => {
    if (folder) rmSync(folder, { recursive: true, force: true })
    process.exit()
  })`)}`

/** Starts the whole media worker as it runs in production. */
export async function startMediaWorker(env: Record<string, string> = {}): Promise<MediaWorker> {
  const workDir = env['SPOOL_WORK_DIR'] ?? (await mkdtemp(path.join(tmpdir(), 'spool-worker-')))
  const node = path.join(root, 'node_modules/.bin/node')
  const child = spawn(node, ['--import', endsWithTests, 'containers/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      MEDIA_PORT: '0',
      MEDIA_SLOTS: '1',
      MEDIA_WORKER_TOKEN: token,
      ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      // As on a laptop, whose owner reads what went wrong.
      REACH: 'owner',
      SPOOL_WORK_DIR: workDir,
      ...compileCache,
      ...env,
    },
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const logLines: string[] = []
  if (!child.stdout) throw new Error('The media worker says nothing')
  const lines = createInterface({ input: child.stdout }).on('line', (line) => logLines.push(line))
  const port = await new Promise<number>((resolve, reject) => {
    lines.on('line', (line) => {
      const entry = JSON.parse(line) as { message: string; port?: number }
      if (entry.message === 'Media worker ready' && entry.port) resolve(entry.port)
    })
    // Also one that never came up has made a folder.
    void exited.then(async (code) => {
      await removeFolder(workDir)
      reject(new Error(`The media worker ended with ${code}`))
    })
  })
  const origin = `http://127.0.0.1:${port}`
  return {
    pid: child.pid ?? 0,
    origin,
    workDir,
    logLines,
    async post(route, body, secret = token) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const signature = await signMessage(secret, text, Date.now())
      return fetch(`${origin}${route}`, {
        method: 'POST',
        body: text,
        headers: { [signatureHeader]: signature },
      })
    },
    kill: (signal) => child.kill(signal),
    exited,
    async stop() {
      child.kill('SIGKILL')
      await exited
      await removeFolder(workDir)
    },
  }
}

/** Its processes end after it, and may still keep what they have compiled there. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 8 })
}
