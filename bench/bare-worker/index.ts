import { DurableObject } from 'cloudflare:workers'
import type {
  D1Database,
  DurableObjectNamespace,
  MessageBatch,
  Queue,
} from '@cloudflare/workers-types'
import { Hono } from 'hono'

/**
 * The smallest Worker that does the same round trips: no parsing, no checks, no log lines, nothing stored by the
 * object. Everything the service takes beyond this is its own cost.
 */
type Env = {
  DB: D1Database
  COUNTER: DurableObjectNamespace<Counter>
  JOBS: Queue
  /** '1' writes a log line like the service's for every request, to find out what those cost. */
  LOG_LINES?: string
}

export class Counter extends DurableObject<Env> {
  #count = 0

  admit(): { count: number } {
    return { count: ++this.#count }
  }
}

const app = new Hono<{ Bindings: Env }>()

async function admit(env: Env): Promise<void> {
  await env.COUNTER.getByName('one key').admit()
}

function logLine(env: Env, method: string, route: string): void {
  if (env.LOG_LINES !== '1') return
  const at = new Date().toISOString()
  const [requestId, keyId] = ['req_0123456789abcdef', 'k_0123456789ab']
  const line = { level: 'info', event: 'request', at, requestId, method, route, keyId }
  console.info(JSON.stringify({ ...line, status: 200, durationMs: 1 }))
}

/** Reads one row by its primary key and asks one object at the same time, as the service does. */
app.get('/videos/:videoId', async (c) => {
  const [row] = await Promise.all([
    c.env.DB.prepare('SELECT * FROM videos WHERE id = ?').bind(c.req.param('videoId')).first(),
    admit(c.env),
  ])
  logLine(c.env, 'GET', '/videos/:videoId')
  return row ? c.json(row) : c.notFound()
})

/** Asks one object, then writes two rows in one batch, then sends one message. */
app.post('/videos', async (c) => {
  const request = JSON.stringify(await c.req.json())
  await admit(c.env)
  const [videoId, jobId, now] = [crypto.randomUUID(), crypto.randomUUID(), Date.now()]
  await c.env.DB.batch([
    c.env.DB.prepare('INSERT INTO videos VALUES (?, ?, ?, ?)').bind(
      videoId,
      'queued',
      request,
      now,
    ),
    c.env.DB.prepare('INSERT INTO jobs VALUES (?, ?, ?)').bind(jobId, videoId, now),
  ])
  await c.env.JOBS.send({ jobId })
  logLine(c.env, 'POST', '/videos')
  return c.json({ videoId, jobId }, 202)
})

export default {
  fetch: app.fetch,
  queue(batch: MessageBatch): void {
    batch.ackAll()
  },
}
