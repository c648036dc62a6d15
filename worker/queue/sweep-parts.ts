import { log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { partsRoot } from '../store/objects/objects.ts'
import { listUnfinished } from '../store/jobs/jobs.ts'

/** The objects of jobs remove their own parts; this removes those of an object that was lost. */
const everyMinutes = 10
const keysPerSweep = 1000

/** Removes the files that media workers have exchanged for films whose jobs have ended. */
export async function sweepParts(env: Env, now: number): Promise<void> {
  if (Math.floor(now / 60_000) % everyMinutes !== 0) return
  const { objects } = await env.BUCKET.list({ prefix: partsRoot, limit: keysPerSweep })
  if (objects.length === 0) return
  const jobIds = [...new Set(objects.map(({ key }) => jobIdOf(key)))]
  const unfinished = new Set(await listUnfinished(env.DB, jobIds))
  const left = objects.map(({ key }) => key).filter((key) => !unfinished.has(jobIdOf(key)))
  if (left.length === 0) return
  await env.BUCKET.delete(left)
  log('info', 'parts of films whose jobs have ended were removed', { count: left.length })
}

function jobIdOf(key: string): string {
  return key.split('/')[1] ?? ''
}
