import type { PlainSession } from '../../actors/plain-session.ts'
import { forgetful, secrets } from '../../actors/storages.ts'
import type { Plainly } from './plain-parts.ts'

const fileUrl = 'https://sources.example.com/plain.mp4'
/** Longer than nearly every video takes, and than each. */
const madeWithinMs = 20 * 60_000
const longestMs = 40 * 60_000
const droppedWithinMs = 60_000
/** Longer than between the first tries of a delivery. */
const triedAgainMs = 45 * 60_000

const path = '/v1/storages'
/** In the simulated world. */
const mostStorages = 3

const wish = {
  endpoint: 'https://storage-of-cleo.example.com',
  bucket: 'more',
  accessKeyId: 'simulated',
  secretAccessKey: secrets[1],
}

/** An account finds its buckets alone, never their secrets, and has a number of them at most. */
export async function judgeStorages({ own, other }: Plainly): Promise<void> {
  const had = (await own.list(path)).length
  const names = Array.from({ length: mostStorages - had }, (_, i) => `more-${i}`)
  for (const name of names) await own.expect(201, ['PUT', `${path}/${name}`, wish])
  await own.expect(409, ['PUT', `${path}/too-many`, wish])
  const [first = ''] = names
  await own.expect(200, ['PUT', `${path}/${first}`, wish])
  await judgeKeptSecret(own, `${path}/${first}`)
  const read = await own.expect(200, ['GET', `${path}/${first}`])
  own.same('what a bucket tells', JSON.stringify(read).includes(wish.secretAccessKey), false)
  own.same('its bucket', read['bucket'], wish.bucket)
  await other.expect(404, ['GET', `${path}/${first}`])
  await other.expect(404, ['DELETE', `${path}/${first}`])
  own.same('the buckets of an account', (await own.list(path)).length, mostStorages)
  const destinations = [{ storage: first, key: '{videoId}/{name}.{extension}' }]
  for (const asked of [{ fileUrl: `storage://${first}/a.mp4` }, { fileUrl, destinations }]) {
    await other.expect(400, ['POST', '/v1/videos', asked])
    await other.expect(400, ['POST', '/v1/batches', { items: [asked] }])
  }
  for (const name of names) await own.expect(204, ['DELETE', `${path}/${name}`])
  await own.expect(404, ['GET', `${path}/${first}`])
}

/** The secret of a bucket need not be sent again for the same key at the same host, and goes to no other. */
async function judgeKeptSecret(own: PlainSession, one: string): Promise<void> {
  const { secretAccessKey: _secret, ...kept } = wish
  await own.expect(200, ['PUT', one, kept])
  await own.expect(400, ['PUT', one, { ...kept, accessKeyId: 'another' }])
  await own.expect(400, ['PUT', one, { ...kept, endpoint: 'https://storage-of-ada.example.com' }])
  const { accessKeyId, endpoint } = await own.expect(200, ['GET', one])
  own.same(
    'a bucket that was not saved',
    [accessKeyId, endpoint],
    [wish.accessKeyId, wish.endpoint],
  )
}

/** A video is deleted while a file of it is on its way in parts: its bucket is told that no more of them come. */
export async function judgeDropped({ own, account, storages, files }: Plainly): Promise<void> {
  const { storage } = account
  storages.refusesParts = true
  const destinations = [{ storage, key: '{videoId}/{name}.{extension}' }]
  const wish = { fileUrl, enableThumbnail: true, reuse: false, destinations }
  const { videoId } = await own.expect(202, ['POST', '/v1/videos', wish])
  await own.pause(longestMs)
  files.deleting(String(videoId))
  await own.expect(204, ['DELETE', `/v1/videos/${String(videoId)}`])
  await own.pause(droppedWithinMs)
  storages.refusesParts = false
  const left = storages.unfinished.filter((path) => path.includes(String(videoId)))
  own.same('what a bucket has been sent of a deleted video', left, [])
}

/** A bucket that begins uploads and forgets them is given up like any other. Returns what is looked at when its time is over. */
export async function judgeForgetful({ own }: Plainly): Promise<() => Promise<void>> {
  await own.expect(201, ['PUT', `${path}/${forgetful}`, { ...wish, bucket: forgetful }])
  const destinations = [{ storage: forgetful, key: '{videoId}/{name}.{extension}' }]
  const outputs = ['one', 'two', 'three'].map((name) => ({ name }))
  const sent = { fileUrl, reuse: false, outputs, destinations }
  const { videoId } = await own.expect(202, ['POST', '/v1/videos', sent])
  return async () => {
    const video = await own.expect(200, ['GET', `/v1/videos/${String(videoId)}`])
    const told = (video['destinations'] ?? []) as { state: string }[]
    // In some worlds a long film has too little time.
    const isOpen = video['status'] === 'succeeded' && told.some(({ state }) => state === 'pending')
    own.same('whether a bucket that forgets is still asked', isOpen, false)
    await own.expect(204, ['DELETE', `${path}/${forgetful}`])
  }
}

/**
 * A bucket that takes nothing is not saved. One that is removed while a file is on its way there gets no more of it, and the record
 * says so. The file goes to another bucket all the same, and what became of both is told.
 */
export async function judgeRemoved({ own, account, storages }: Plainly): Promise<void> {
  const one = `${path}/removed`
  storages.refusesAll = true
  await own.expect(400, ['PUT', one, wish])
  storages.refusesAll = false
  await own.expect(201, ['PUT', one, wish])
  storages.refusesAll = true
  const destinations = ['removed', account.storage].map((storage) => ({
    ...{ storage, key: '{videoId}/{name}.{extension}' },
  }))
  const webhookUrl = `https://hooks-of-${account.storage}.example.com/removed`
  const sent = { fileUrl, reuse: false, destinations, webhookUrl }
  const made = await own.expect(202, ['POST', '/v1/videos', sent])
  await own.pause(madeWithinMs)
  await own.expect(204, ['DELETE', one])
  storages.refusesAll = false
  // Another attempt would be made only after the pause.
  storages.keepsWhole = true
  await own.pause(triedAgainMs)
  storages.keepsWhole = false
  const video = await own.expect(200, ['GET', `/v1/videos/${String(made['videoId'])}`])
  const [delivery, other] = (video['destinations'] ?? []) as { state: string; reason?: string }[]
  // In some worlds a long film has too little time.
  if (video['status'] !== 'succeeded') return
  own.same('a delivery to a bucket that was removed', delivery?.state, 'failed')
  own.same('a delivery to the other bucket', other?.state, 'delivered')
  own.same('why it failed', delivery?.reason, 'The storage removed was deleted')
}

/** Enough that some go whole, and others in parts. */
const spoiledFiles = 5

/** A bucket spoils files on their way and does not notice it: they are sent once more. */
export async function judgeSpoiled({ own, account, storages }: Plainly): Promise<void> {
  const { storage } = account
  const ids: string[] = []
  for (let i = 0; i < spoiledFiles; i++) {
    storages.spoils.add(`storage-of-${storage}.example.com/results/spoiled-${i}/`)
    const destinations = [{ storage, key: `spoiled-${i}/{videoId}/{name}.{extension}` }]
    const sent = { fileUrl, reuse: false, destinations }
    ids.push(String((await own.expect(202, ['POST', '/v1/videos', sent]))['videoId']))
  }
  await own.pause(longestMs + triedAgainMs)
  for (const id of ids) {
    const video = await own.expect(200, ['GET', `/v1/videos/${id}`])
    const [delivery] = (video['destinations'] ?? []) as { state: string }[]
    // In some worlds a long film has too little time.
    if (video['status'] !== 'succeeded') continue
    own.same('a delivery that was spoiled at first', delivery?.state, 'delivered')
  }
  storages.spoils.clear()
}
