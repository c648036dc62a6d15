import { PlainSession } from '../../actors/plain-session.ts'
import { judgeAtWork, judgeFailedCancel, judgeTraces } from './plain-at-work.ts'
import { judgeBatches } from './plain-batches.ts'
import { judgeBudgets } from './plain-budgets.ts'
import { judgeFullQueues, judgeGuesses, judgeProxies, judgeStreams } from './plain-crowds.ts'
import { judgeDatabase, judgeDisk } from './plain-disk.ts'
import { judgeFeed, judgeFiles } from './plain-files.ts'
import { judgeForms } from './plain-forms.ts'
import { judgeIdempotency } from './plain-idempotency.ts'
import { judgeKeysOf } from './plain-keys.ts'
import { judgeLending } from './plain-lending.ts'
import type { Asking, Plainly as Parts } from './plain-parts.ts'
import { judgePasswords } from './plain-passwords.ts'
import { judgePeople } from './plain-people.ts'
import { judgePlans } from './plain-plans.ts'
import { judgeMetrics, judgeOperator } from './plain-operator.ts'
import { judgeQuota } from './plain-quota.ts'
import { judgeTranscripts, judgeUsage } from './plain-reads.ts'
import { judgeForesight, judgeOwnWork } from './plain-reuse.ts'
import { judgeSlots } from './plain-slots.ts'
import {
  judgeDropped,
  judgeForgetful,
  judgeRemoved,
  judgeSpoiled,
  judgeStorages,
} from './plain-storages.ts'
import { judgeOpenUploads } from './plain-uploads.ts'
import { judgeVersions } from './plain-versions.ts'
import { judgeLostAttempts, judgeWebhooks } from './plain-webhooks.ts'
import { judgeMediaWorkers } from './media/plain-media-workers.ts'
import { judgeHealth } from './shown/plain-health.ts'
import { judgeRecords } from './shown/plain-records.ts'
import { judgeSearch } from './shown/plain-search.ts'

const fileUrl = 'https://sources.example.com/plain.mp4'
/** In the simulated world. */
const mostPresets = 4
/** Every account has it. */
const builtIn = 'clean-talk'
/** Longer than a receiver may take to answer. */
const onTheirWayMs = 60_000
/** Longer than a video takes, and than its webhooks take. */
const madeWithinMs = 40 * 60_000

type Judge = (parts: Parts) => Promise<void>

/** Every world looks at a quarter of what an account may ask for; looking at all of it takes as long as the bad day before. */
const judges: readonly (readonly Judge[])[] = [
  [
    judgeMetrics,
    judgeLists,
    judgeRecords,
    judgeAtWork,
    judgeFeed,
    judgeBatches,
    judgeLending,
    judgeSlots,
    judgeOwnWork,
    judgeForesight,
    judgeStreams,
  ],
  [
    judgePresets,
    judgeNumberOfPresets,
    judgeStorages,
    judgeDropped,
    judgeRemoved,
    judgeSpoiled,
    judgeTranscripts,
    judgeLostAttempts,
    judgeOverDay,
  ],
  [
    judgeKeysOf,
    judgePeople,
    judgePasswords,
    judgePlans,
    judgeOperator,
    judgeVersions,
    judgeTraces,
    judgeFailedCancel,
    judgeUsage,
    judgeSearch,
    judgeGuesses,
    judgeProxies,
    judgeMediaWorkers,
  ],
  [
    judgeEndpoints,
    judgeBudgets,
    judgeFiles,
    judgeForms,
    judgeDisk,
    judgeQuota,
    judgeDatabase,
    judgeFullQueues,
    judgeHealth,
  ],
]

/** Four seeds that follow each other have all of them; those without a sweep, of which there is one among four, have each in turn. */
function judgesOf(seed: number): readonly Judge[] {
  return judges[(seed + Math.floor(seed / judges.length)) % judges.length] ?? []
}

/** While nothing fails, everything that an account can ask for is answered as this says. */
export async function judgeAnswers(asking: Asking): Promise<void> {
  const [stranger, , account] = asking.accounts
  if (!account || !stranger) throw new Error('nobody has an account')
  const own = new PlainSession(asking, account)
  const other = new PlainSession(asking, stranger)
  const { slots, world, disk, isSweepless } = asking
  const parts: Parts = { ...asking, slots, disk, isSweepless, own, other, account }
  for (const judge of judgesOf(world.seed)) await judge(parts)
}

/** What ends after a day is looked at before it and afterwards. */
async function judgeOverDay(parts: Parts): Promise<void> {
  await judgeIdempotency(parts)
  const later = [await judgeForgetful(parts), await judgeOpenUploads(parts)]
  await judgeWebhooks(parts)
  for (const judge of later) await judge()
}

async function judgePresets({ own, other }: Parts): Promise<void> {
  const path = '/v1/presets/plain'
  const fields = { videoName: '{{title}} of a preset', enableThumbnail: true }
  await own.expect(404, ['GET', path])
  await own.expect(400, ['PUT', '/v1/presets/Plain%20Talk', { fields }])
  const saved = await own.expect(201, ['PUT', path, { description: 'one', fields }])
  const read = await own.expect(200, ['GET', path])
  own.same('a preset that was saved', read, saved)
  own.same('what a preset has', [read['fields'], read['description']], [fields, 'one'])
  await other.expect(404, ['GET', path])
  await other.expect(404, ['DELETE', path])
  const wish = { preset: 'plain', values: { title: 'A film' }, fileUrl }
  await other.expect(400, ['POST', '/v1/videos', wish])
  await own.expect(400, ['POST', '/v1/videos', { preset: 'plain', fileUrl }])
  const made = await own.expect(202, ['POST', '/v1/videos', wish, 'plain'])
  const video = await own.expect(200, ['GET', `/v1/videos/${String(made['videoId'])}`])
  own.same('the name of a video', video['videoName'], 'A film of a preset')
  const further = { ...wish, values: { title: 'Another film' } }
  await own.expect(409, ['POST', '/v1/videos', further, 'plain'])
  const replaced = await own.expect(200, ['PUT', path, { fields: { videoName: 'all alike' } }])
  own.same('a preset that was replaced', replaced['createdAt'], saved['createdAt'])
  own.same('its description', replaced['description'], null)
  await judgeWishes(own)
  const mine = (await other.expect(200, ['GET', '/v1/presets']))['data'] as { name: string }[]
  own.same(
    'the preset in the list of another account',
    mine.map(({ name }) => name).includes('plain'),
    false,
  )
  // A key answers for what was sent, also when the preset is gone.
  own.same(
    'an answer once more',
    await own.expect(202, ['POST', '/v1/videos', wish, 'plain']),
    made,
  )
  await own.expect(409, ['POST', '/v1/videos', { fileUrl }, 'plain'])
  await own.expect(204, ['DELETE', path])
  await own.expect(404, ['DELETE', path])
  await own.expect(400, ['POST', '/v1/videos', wish])
  own.same('an answer later', await own.expect(202, ['POST', '/v1/videos', wish, 'plain']), made)
}

/** What a request asks for itself counts before its preset, and the preset of an item before that of its batch. */
async function judgeWishes(own: PlainSession): Promise<void> {
  const nameOf = async (id: unknown): Promise<unknown> =>
    (await own.expect(200, ['GET', `/v1/videos/${String(id)}`]))['videoName']
  const wish = { preset: 'plain', fileUrl, videoName: 'of the request' }
  const { videoId } = await own.expect(202, ['POST', '/v1/videos', wish])
  own.same('the name that a request gives beside a preset', await nameOf(videoId), wish.videoName)
  const items = [
    { fileUrl },
    { fileUrl, preset: 'usual', values: { title: 'of an item' } },
    { fileUrl, preset: builtIn, videoName: 'of one for all' },
  ]
  const made = await own.expect(202, ['POST', '/v1/batches', { preset: 'plain', items }])
  const names = await Promise.all((made['videoIds'] as unknown[]).map(nameOf))
  own.same('the names that presets give', names, ['all alike', 'of an item', 'of one for all'])
  await own.ask(['POST', `/v1/videos/${String(videoId)}/cancel`, {}])
  await own.ask(['POST', `/v1/batches/${String(made['batchId'])}/cancel`, {}])
}

/** An account has a number of presets at most, and may always replace those that it has. */
async function judgeNumberOfPresets({ own }: Parts): Promise<void> {
  const fields = { videoName: 'one of many' }
  const { data } = await own.expect(200, ['GET', '/v1/presets'])
  const mine = (data as { builtIn: boolean }[]).filter(({ builtIn }) => !builtIn)
  const builtIn = (data as { builtIn: boolean; name: string }[]).find((one) => one.builtIn)
  await own.expect(409, ['PUT', `/v1/presets/${builtIn?.name ?? ''}`, { fields }])
  await own.expect(409, ['DELETE', `/v1/presets/${builtIn?.name ?? ''}`])
  const names = Array.from({ length: mostPresets - mine.length }, (_, i) => `more-${i}`)
  for (const name of names) await own.expect(201, ['PUT', `/v1/presets/${name}`, { fields }])
  await own.expect(409, ['PUT', '/v1/presets/too-many', { fields }])
  await own.expect(200, ['PUT', `/v1/presets/${names[0] ?? ''}`, { fields }])
  for (const name of names) await own.expect(204, ['DELETE', `/v1/presets/${name}`])
}

/** An endpoint hears what it wants to hear while it is enabled, and nothing else. */
async function judgeEndpoints({ own, other, account, database }: Parts): Promise<void> {
  const url = `https://hooks-of-${account.storage}.example.com/plain`
  const path = '/v1/webhooks/endpoints'
  const wish = { url, eventTypes: ['video.canceled'] }
  const made = await own.expect(201, ['POST', path, wish])
  await own.expect(409, ['POST', path, wish])
  const one = `${path}/${String(made['endpointId'])}`
  await other.expect(404, ['GET', one])
  await other.expect(404, ['PATCH', one, { enabled: false }])
  await other.expect(404, ['DELETE', one])
  own.same('an endpoint', await own.expect(200, ['GET', one]), made)
  const canceled = await own.sendAndCancel()
  const succeeded = String((await own.expect(202, ['POST', '/v1/videos', { fileUrl }]))['videoId'])
  const off = await own.expect(200, ['PATCH', one, { enabled: false }])
  own.same('whether an endpoint that is off is on', off['enabled'], false)
  // The answer to an attempt that is on its way begins nothing again.
  await own.pause(onTheirWayMs)
  const waiting = 'SELECT id FROM webhook_deliveries WHERE endpoint_id = ? AND finished_at IS NULL'
  own.same('what waits for it', database.read(waiting, String(made['endpointId'])), [])
  const unheard = await own.sendAndCancel()
  await own.expect(200, ['PATCH', one, { enabled: true }])
  await own.pause(madeWithinMs)
  const heard = async (videoId: string): Promise<unknown[]> => {
    const all = await own.list(`/v1/webhooks/deliveries?videoId=${videoId}`)
    return all.filter((delivery) => delivery['url'] === url).map(({ type }) => type)
  }
  own.same('what an endpoint has heard', await heard(canceled), ['video.canceled'])
  own.same('what a disabled endpoint has heard', await heard(unheard), [])
  own.same('what an endpoint did not want to hear', await heard(succeeded), [])
  const change = { description: 'changed', eventTypes: ['video.canceled', 'video.failed'] }
  const changed = await own.expect(200, ['PATCH', one, change])
  own.same(
    'an endpoint that was changed',
    [changed['description'], changed['eventTypes'], changed['enabled'], changed['url']],
    [change.description, change.eventTypes, true, url],
  )
  const { data } = await own.expect(200, ['GET', path])
  const listed = (data as { endpointId: string }[]).find(
    ({ endpointId }) => endpointId === made['endpointId'],
  )
  own.same('how it is listed', listed, changed)
  await own.expect(204, ['DELETE', one])
  await own.expect(404, ['DELETE', one])
  await own.expect(404, ['GET', one])
}

/** Lists have what the rows say, in their order. */
async function judgeLists({ own, account, database }: Parts): Promise<void> {
  const { accountId } = account
  const idsOf = (sql: string, ...more: string[]): string[] =>
    database.read(sql, accountId, ...more).map(({ id }) => String(id))
  const newest = 'ORDER BY created_at DESC, id DESC'
  for (const status of ['queued', 'running', 'succeeded', 'failed', 'canceled']) {
    const rows = idsOf(
      `SELECT id FROM videos WHERE account_id = ? AND status = ? ${newest}`,
      status,
    )
    const listed = await own.list(`/v1/videos?status=${status}`)
    own.same(
      `the list of ${status} videos`,
      listed.map(({ videoId }) => videoId),
      rows,
    )
  }
  const [batchId] = idsOf(`SELECT id FROM batches WHERE account_id = ? ${newest}`)
  if (batchId !== undefined) {
    const rows = idsOf(
      `SELECT id FROM videos WHERE account_id = ? AND batch_id = ? ${newest}`,
      batchId,
    )
    const listed = await own.list(`/v1/videos?batchId=${batchId}`)
    own.same(
      'the videos of a batch',
      listed.map(({ videoId }) => videoId),
      rows,
    )
  }
  const batches = await own.list('/v1/batches', 1)
  own.same(
    'the list of batches',
    batches.map((batch) => batch['batchId']),
    idsOf(`SELECT id FROM batches WHERE account_id = ? ${newest}`),
  )
  const deliveries = await own.list('/v1/webhooks/deliveries')
  own.same(
    'the list of deliveries',
    deliveries.map(({ deliveryId }) => deliveryId),
    idsOf(`SELECT id FROM webhook_deliveries WHERE account_id = ? ${newest}`),
  )
}
