// Runs the service and counts, outside of it, every statement that its Worker and its objects ask of D1.
import service from '../../worker/index.ts'
import { serviceBeside } from '../service/count-statements.js'
export * from '../../worker/index.ts'

/** Puts waiting jobs of many accounts into the tables, each like the one video that is there already. */
async function fill(request, env) {
  const { jobs, accounts, like } = await request.json()
  const now = Date.now()
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
      INSERT INTO accounts (id, webhook_secret, created_at) SELECT 'a_' || printf('%012d', i), 'none', ? FROM n`,
    ).bind(accounts, now),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
      INSERT INTO videos (id, account_id, name, status, request, transcript_status, analysis_status, created_at, updated_at)
      SELECT 'v_' || printf('%08d', n.i), 'a_' || printf('%012d', n.i % ?), 'waiting', 'queued', v.request,
        v.transcript_status, v.analysis_status, ? + n.i, ? FROM n JOIN videos AS v ON v.id = ?`,
    ).bind(jobs, accounts, now - jobs, now, like),
    env.DB.prepare(
      `INSERT INTO jobs (id, video_id, account_id, sweep_after, created_at, waits)
      SELECT 'j_' || printf('%016d', substr(id, 3)), id, account_id, ?, created_at, 1 FROM videos WHERE name = 'waiting'`,
    ).bind(now + 900_000),
  ])
  return Response.json({})
}

async function sweep(request, env) {
  await service.scheduled({ scheduledTime: Date.now() }, env)
  return Response.json({})
}

export default {
  fetch: serviceBeside({ '/bench/fill': fill, '/bench/sweep': sweep }),
  queue: service.queue,
  // The sweep comes when the benchmark asks for it, so that its statements can be told from all others.
  scheduled() {},
}
