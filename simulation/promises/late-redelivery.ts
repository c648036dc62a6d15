import type { Account } from '../actors/account.ts'
import type { Exchange } from '../actors/exchange.ts'
import type { Operator } from '../actors/operator.ts'
import type { Receivers } from '../actors/receivers.ts'
import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'
import type { WatchFiles } from './watch/watch-files.ts'

type Judged = {
  world: World
  database: Database
  receivers: Receivers
  operator: Operator
  exchange: Exchange
  files: WatchFiles
  accounts: readonly Account[]
}

const sentWithinMs = 120_000

/** More than a week later the links in an event have expired. One that is sent once more leads to the file that is still kept. */
export async function judgeLateRedelivery(judged: Judged): Promise<void> {
  const { world, database, receivers, operator, exchange, files } = judged
  const [delivery] = database.read<{ id: string; event: string; url: string }>(
    `SELECT d.id, d.event_id AS event, d.url FROM webhook_deliveries AS d JOIN webhook_events AS e ON e.id = d.event_id
     JOIN videos AS v ON v.id = e.video_id WHERE d.status = 'succeeded' AND e.type = 'video.succeeded' AND d.endpoint_id IS NULL
     AND v.files_deleted_at IS NULL AND v.result ->> '$.outputs.final.key' IS NOT NULL ORDER BY d.created_at LIMIT 1`,
  )
  if (!delivery) return
  const { id: deliveryId, event, url } = delivery
  const before = receivers.received.length
  files.redelivering(deliveryId)
  await operator.command({ command: 'webhooks.replay', deliveryId })
  await world.loop.pause(sentWithinMs)
  const again = receivers.received.slice(before).find((one) => one.id === event && one.url === url)
  if (!again) return world.break(`${deliveryId} was to be sent once more, and was not`)
  const link = /"finalVideoUrl":"https:\/\/[^/"]+([^"]+)"/.exec(again.body)?.[1]
  if (link === undefined) return
  const answer = await exchange.ask({ who: 'a receiver', method: 'GET', path: link, key: '' })
  if (answer?.status === 200) return
  world.break(`${deliveryId} was sent once more, and its link is answered ${answer?.status ?? 0}`)
}

/** A video whose record is in the archive is deleted: what was said in it is not in the log of its webhooks any more. */
export async function judgeLateDeletion(judged: Judged): Promise<void> {
  const { world, database, exchange, files, accounts } = judged
  const [told] = database.read<{ id: string; videoId: string; accountId: string }>(
    `SELECT id, video_id AS videoId, account_id AS accountId FROM webhook_events
     WHERE instr(body, 'words of ') > 0 AND video_id NOT IN (SELECT id FROM videos) ORDER BY created_at LIMIT 1`,
  )
  const account = accounts.find(({ accountId }) => accountId === told?.accountId)
  if (!told || !account) return
  const { id, videoId } = told
  files.deleting(videoId)
  const path = `/v1/videos/${videoId}`
  const answer = await exchange.ask({ who: account.name, method: 'DELETE', path, key: account.key })
  if (answer?.status !== 204)
    world.break(`the deletion of ${videoId} is answered ${answer?.status}`)
  const sql = "SELECT 1 FROM webhook_events WHERE id = ? AND instr(body, 'words of ') > 0"
  if (database.read(sql, id).length > 0)
    world.break(`${videoId} was deleted, and ${id} still tells its words`)
}
