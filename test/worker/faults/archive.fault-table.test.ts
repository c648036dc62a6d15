import { describe, expect, it } from 'vitest'
import { sweepArchive } from '../../../worker/queue/sweep-archive.ts'
import { campaignAfter } from '../../support/node/campaign.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { archiveKeys } from '../../support/worker/archived.ts'
import { bindings } from '../../support/worker/bindings.ts'
import type { Client } from '../../support/worker/client.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import { aFinishedVideo, videoRow } from '../../support/worker/videos.ts'
import { faultsAt, type Fault, type FaultPoints, despiteFaults } from './fault-points.ts'
import { watchEverything } from './watch-everything.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const standIns = standInForAll()
const parts = 12
const old = 200 * 86_400_000

/** A video that the next tick archives. */
async function aDueVideo(client: Client): Promise<string> {
  const { videoId } = await aFinishedVideo(client)
  const long = Date.now() - old
  await bindings.DB.prepare(
    'UPDATE videos SET finished_at = ?1, updated_at = ?1, files_deleted_at = ?1 WHERE id = ?2',
  )
    .bind(long, videoId)
    .run()
  return videoId
}

type Run = { client: Client; videoId: string; points: FaultPoints }

/** Runs the step with the fault. */
async function strike({ points }: Run, fault: Fault | undefined, step: () => Promise<unknown>) {
  points.arm(fault)
  await despiteFaults(step)
  const met = [...points.met]
  const hasStruck = points.struck
  points.arm(undefined)
  if (fault) expect({ fault, hasStruck }).toEqual({ fault, hasStruck: true })
  return met
}

const tick = async () => sweepArchive(bindings, Date.now())
const read = async ({ client, videoId }: Run) => client.get(`/v1/videos/${videoId}`)

async function archive(run: Run, fault?: Fault): Promise<string[]> {
  const before = await read(run)
  expect(before.status).toBe(200)
  const met = await strike(run, fault, tick)
  expect({ fault, now: (await read(run)).json }).toEqual({ fault, now: before.json })
  await tick()
  expect({ fault, row: await videoRow(run.videoId) }).toEqual({ fault, row: undefined })
  expect({ fault, now: (await read(run)).json }).toEqual({ fault, now: before.json })
  expect(await archiveKeys(run.client.accountId)).toHaveLength(3)
  return met
}

async function remove(run: Run, fault?: Fault): Promise<string[]> {
  const { client, videoId } = run
  await tick()
  const met = await strike(run, fault, async () => client.delete(`/v1/videos/${videoId}`))
  const again = await client.delete(`/v1/videos/${videoId}`)
  expect([204, 404]).toContain(again.status)
  expect({ fault, status: (await read(run)).status }).toEqual({ fault, status: 404 })
  expect(await archiveKeys(client.accountId)).toEqual([])
  const traces = await bindings.BUCKET.list({ prefix: `traces/${videoId}/` })
  expect(traces.objects).toEqual([])
  return met
}

const scenarios = { archiving: archive, 'deleting an archived video': remove }

describe('whatever step fails', () => {
  for (const [title, scenario] of Object.entries(scenarios)) {
    for (let part = 0; part < parts; part++) {
      const name = `${title} loses nothing, keeps nothing, and succeeds in the end: part ${part + 1} of ${parts}`
      it(name, { tags: campaignAfter(title === 'archiving' ? 1 : 0, part) }, async () => {
        recordLog()
        const points = await watchEverything(standIns.queue.current, standIns.media.current)
        const tryOut = async (fault?: Fault) => {
          const client = await aClient()
          return scenario({ client, points, videoId: await aDueVideo(client) }, fault)
        }
        const met = await tryOut()
        expect(met.length).toBeGreaterThan(5)
        const faults = met.flatMap((point) => faultsAt(point, 'all'))
        for (const fault of faults.filter((_, i) => i % parts === part)) await tryOut(fault)
      })
    }
  }
})
