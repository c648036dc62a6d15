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

/** Reads one row by its primary key and asks one object at the same time, as the service does. */
app.get('/videos/:videoId', async (c) => {
  const [row] = await Promise.all([
    c.env.DB.prepare('SELECT * FROM videos WHERE id = ?').bind(c.req.param('videoId')).first(),
    admit(c.env),
  ])
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
  return c.json({ videoId, jobId }, 202)
})

export default {
  fetch: app.fetch,
  queue(batch: MessageBatch): void {
    batch.ackAll()
  },
}
