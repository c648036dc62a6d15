import type { World } from '../../engine/world.ts'
import type { Database } from '../../platform/database.ts'
import type { Deployment } from '../../platform/deployment.ts'
import type { Account } from '../account.ts'
import type { Exchange } from '../exchange.ts'
import { endlessFilm, endlessMs } from './told-of-work.ts'

type Sending = {
  world: World
  exchange: Exchange
  database: Database
  deployment: Deployment
  account: Account
}

/** Only some worlds have one: its media worker reports in vain for a quarter of an hour, and simulating that takes a while. */
const share = 0.4
const secondMs = 1_000
const minuteMs = 60_000
const begunWithinSeconds = 120
/** Shorter than the time after which the object is told that its job has ended; it forgets the job an hour after that. */
const silentMs = 120 * minuteMs
/** A quarter of an hour more than the job has, and as long again until the sweep looks. */
const endedWithinMs = 40 * minuteMs
const forgottenWithinMs = 5 * 60 * minuteMs

/**
 * Where jobs have little time, the object of one at work falls silent for hours. Nobody but the sweep can end the job, and the
 * object hears of that later and forgets it.
 */
export async function sendSilentFilm(sending: Sending, { jobMs }: { jobMs: number }) {
  const { account, database, deployment, exchange, world } = sending
  if (jobMs > endlessMs || world.draw('a silent film') >= share) return
  const { name, key } = account
  const body = { fileUrl: `https://sources.example.com/${endlessFilm}-silent.mp4`, reuse: false }
  const asked = { who: `${name} silently`, method: 'POST', path: '/v1/videos', key, body }
  const answer = await exchange.ask(asked)
  if (answer?.status !== 202) return
  const { videoId, jobId } = JSON.parse(answer.text) as { videoId: string; jobId: string }
  const statusOf = (): unknown =>
    database.read('SELECT status FROM videos WHERE id = ?', videoId)[0]?.['status']
  for (let seconds = 0; seconds < begunWithinSeconds && statusOf() === 'queued'; seconds++)
    await world.loop.pause(secondMs)
  deployment.objects.JOB_RUNNER.cell(jobId).silence(silentMs)
  await world.loop.pause(jobMs + endedWithinMs)
  if (statusOf() !== 'failed')
    world.break(`${videoId} is ${String(statusOf())}, although its time ended long ago`)
  await world.loop.pause(forgottenWithinMs)
  const kept = deployment.storageOf('JOB_RUNNER', jobId)?.kept ?? []
  if (kept.length > 0)
    world.break(`the object of ${jobId} was silent when that ended, and keeps ${kept.join()}`)
}
