import type { World } from '../../engine/world.ts'
import { forgetful } from '../../actors/storages.ts'
import type { Bucket } from '../../platform/bucket.ts'
import type { Database } from '../../platform/database.ts'
import type { ObjectStorage } from '../../platform/storage.ts'

type Delivery = {
  storage: string
  key: string
  kinds: string[]
  state: 'pending' | 'delivered' | 'failed'
  reason?: string
}
type Result = { outputs: Record<string, { key: string }>; deliveries?: Delivery[] }
type Parts = {
  world: World
  database: Database
  bucket: () => Pick<Bucket, 'objects' | 'holdsBack'>
  /** What lies in the buckets of customers. */
  delivered: () => ReadonlyMap<string, string>
  /** Whether a media worker that lives works at this claim. */
  isAlive: (claim: string) => boolean
  /** What the courier of a video remembers. */
  courier: (videoId: string) => Pick<ObjectStorage, 'isEmpty' | 'kv'> | undefined
}

/** An alarm of a courier that has begun may send for a minute, and its last request may take another. */
const lateMs = 150_000
/** Longer than a courier takes for what it has begun. */
const forgottenWithinMs = 240_000
const mostTries = 8
const hopMs = 60_000
/** Longer than anything that is late takes. */
const undisturbedMs = 25 * 60_000

/** Whether files go only where and when they should: out of the bucket, and into those of customers. */
export class WatchFiles {
  readonly #parts: Parts
  /** Videos of which a customer has asked that they be deleted. */
  readonly #deleting = new Set<string>()
  /** The upload of which each video is made. */
  readonly #sources = new Map<string, string>()
  readonly #goneSince = new Map<string, number>()
  /** Deliveries of webhooks that a customer has asked for once more. */
  readonly redelivered = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  deleting(videoId: string): void {
    this.#deleting.add(videoId)
  }

  isDeleting(videoId: string): boolean {
    return this.#deleting.has(videoId)
  }

  redelivering(deliveryId: string): void {
    this.redelivered.add(deliveryId)
  }

  /** A customer has just heard that a video is deleted: unless something fails, nothing of it is left. */
  deleted(videoId: string, isNaming: boolean): void {
    const { world, database, bucket } = this.#parts
    world.loop.in(hopMs, () => this.#judgeWords(videoId))
    if (world.faults.lastHarmAt > world.now - undisturbedMs) return
    world.loop.in(hopMs, () => this.#judgeArchive(videoId))
    const sourceId = this.#sources.get(videoId)
    // Another video that has the file may be deleted at this moment, and removes it in a moment.
    const isShared = database
      .read("SELECT id, source ->> 'uploadId' AS used, source_deleted_at AS goneAt FROM videos")
      .some(
        ({ id, used, goneAt }) =>
          used === sourceId &&
          (goneAt === null || (id !== videoId && this.#deleting.has(String(id)))),
      )
    const hasOthers = isFileOfOthers(database, videoId)
    if (hasOthers && !bucket().objects.has(`videos/${videoId}/gone`))
      world.break(`${videoId} is said to be deleted, and its links still lead to its files`)
    for (const key of bucket().objects.keys()) {
      const isSource = key.split('/')[1] === sourceId && !isShared
      if (!key.includes(videoId) && !isSource) continue
      // A sweep may just be writing it.
      if (key.startsWith('archive/')) continue
      // Names that were given in it are in files of its own.
      if (hasOthers && key.startsWith('videos/') && !key.includes(`/named/${videoId}-`)) continue
      // A request that gives names writes its files before it finds that the record is gone, and removes them then.
      if (isNaming && key.includes('/named/')) continue
      world.break(`${videoId} is said to be deleted, and ${key} is still there`)
    }
    const begunAt = world.now
    world.loop.in(forgottenWithinMs, () => {
      const isHung = world.faults.lastOf('storage hangs') > begunAt - undisturbedMs
      if (
        isHung ||
        world.faults.lastHarmAt > begunAt ||
        this.#parts.courier(videoId)?.isEmpty !== false
      )
        return
      world.break(`${videoId} is said to be deleted, and its courier has not let go of it`)
    })
  }

  /** A sweep that was archiving the video has seen by now that it is deleted. */
  #judgeArchive(videoId: string): void {
    const { world, bucket } = this.#parts
    if (world.faults.lastHarmAt > world.now - undisturbedMs) return
    // The sweep may wait for the write of another video before it looks which ones were deleted.
    if (bucket().holdsBack) return void world.loop.in(hopMs, () => this.#judgeArchive(videoId))
    const left = [...bucket().objects.keys()].find(
      (key) => key.startsWith('archive/') && key.includes(videoId),
    )
    if (left !== undefined) world.break(`${videoId} was deleted, and the archive still has ${left}`)
  }

  /** What was said in a deleted video does not come back into what is told of it. */
  #judgeWords(videoId: string): void {
    const sql = "SELECT id FROM webhook_events WHERE video_id = ? AND instr(body, 'words of ') > 0"
    for (const { id } of this.#parts.database.read(sql, videoId))
      this.#parts.world.break(`${videoId} was deleted, and ${String(id)} tells its words again`)
  }

  /** A video that leaves the database for the archive has nothing left to be told or delivered. */
  leaves(videoId: string): void {
    if (this.#deleting.has(videoId)) return
    const [left] = this.#parts.database.read(
      `SELECT d.id FROM webhook_events AS e JOIN webhook_deliveries AS d ON d.event_id = e.id
       WHERE e.video_id = ?1 AND d.finished_at IS NULL UNION ALL SELECT video_id FROM undelivered WHERE video_id = ?1`,
      videoId,
    )
    if (left) this.#parts.world.break(`${videoId} is archived, and ${String(left['id'])} is left`)
  }

  /** A video was made of the file of an upload, which is there. */
  madeOf(videoId: string, uploadId: string): void {
    this.#sources.set(videoId, uploadId)
    const { bucket, world } = this.#parts
    if (!bucket().objects.has(`uploads/${uploadId}/source`))
      world.break(`${videoId} is made of ${uploadId}, whose file is not there`)
  }

  /** Whether somebody has removed a file of this video by hand. */
  isLost(videoId: string): boolean {
    const { bucket, database } = this.#parts
    const [row] = database.read('SELECT result FROM videos WHERE id = ?', videoId)
    const { outputs } = JSON.parse(String(row?.['result'])) as Result
    return Object.values(outputs).some(({ key }) => !bucket().objects.has(key))
  }

  /** The row has gone. */
  gone(videoId: string): void {
    const { world, database } = this.#parts
    this.#goneSince.set(videoId, world.now)
    const sql = 'SELECT name FROM kept_words WHERE video_id = ?'
    if (database.read(sql, videoId).length > 0)
      world.break(`${videoId} has left the database, and words of it are still kept`)
  }

  /** A file is about to be removed: its row does not name it, or its time is over. */
  removes(key: string): void {
    const { world, database } = this.#parts
    const [folder, id = ''] = key.split('/')
    if (folder === 'videos' && !this.#deleting.has(id)) {
      this.#removesFile(id, key)
    }
    if (folder === 'videos' && this.#deleting.has(id)) this.#removesFile(id, key, id)
    if (key.endsWith('/gone') && isFileOfOthers(database, id, world.loop.wall))
      world.break(`${key} is removed, and the links of the deleted video lead to its files again`)
    if (folder === 'parts') this.#removesPart(key)
    if (folder !== 'uploads') return
    const [user] = database.read(
      `SELECT id FROM videos WHERE source ->> 'uploadId' = ? AND source_deleted_at IS NULL
       AND (source_expires_at IS NULL OR source_expires_at > ?)`,
      id,
      world.loop.wall,
    )
    if (user) world.break(`the file ${key} is removed, of which ${String(user['id'])} is made`)
  }

  /** What media workers exchange for a film goes when its attempt has ended. */
  #removesPart(key: string): void {
    const { world, database, isAlive } = this.#parts
    const [, jobId = '', fence = ''] = key.split('/')
    if (world.faults.lastHarmAt > world.now - undisturbedMs || !isAlive(`${jobId}/${fence}`)) return
    const sql = `SELECT v.id FROM jobs AS j JOIN videos AS v ON v.id = j.video_id
      WHERE j.id = ? AND j.fence = ? AND v.status = 'running'`
    if (database.read(sql, jobId, Number(fence)).length === 0) return
    world.break(`the file ${key} is removed, and attempt ${fence} of ${jobId} still works`)
  }

  /** `deleted`: the video that is being deleted, which may name it. */
  #removesFile(id: string, key: string, deleted = ''): void {
    const { world, database } = this.#parts
    const rows = database.read(
      `SELECT id, result || coalesce(transcript, '') AS names FROM videos WHERE coalesce(files_of, id) = ? AND files_deleted_at IS NULL AND files_expire_at > ?
       AND id <> ?`,
      id,
      world.loop.wall,
      deleted,
    )
    const user = rows.find(
      (row) => String(row['names']).includes(`"${key}"`) && !this.#deleting.has(String(row['id'])),
    )
    if (user) world.break(`the file ${key} is removed, and ${String(user['id'])} still names it`)
  }

  /** A file has come into the bucket of a customer. */
  arrived(path: string): void {
    const { world } = this.#parts
    const videoId = /\/(v_\w+)\//.exec(path)?.[1] ?? ''
    const goneSince = this.#goneSince.get(videoId)
    if (goneSince !== undefined && goneSince < world.now - lateMs) {
      world.break(`${videoId} was deleted, and ${path} was delivered after that`)
    }
  }

  /** What the row says of its deliveries has changed. */
  heardResult(videoId: string, before: string, after: string): void {
    const { world, bucket, delivered } = this.#parts
    const known = JSON.parse(before) as Result
    const { deliveries = [], outputs } = JSON.parse(after) as Result
    const [row] = this.#parts.database.read(
      `SELECT count(*) FILTER (WHERE d.value ->> 'keep' IS 0) AS n FROM videos AS v, json_each(v.request, '$.destinations') AS d WHERE v.id = ?`,
      videoId,
    )
    const isKept = row?.['n'] === 0
    for (const kind of Object.keys(known.outputs).filter((one) => !outputs[one])) {
      const key = known.outputs[kind]?.key ?? ''
      const toRemove = this.#parts.courier(videoId)?.kv.get('removed') as string[] | undefined
      if (bucket().objects.has(key) && !toRemove?.includes(key))
        world.break(`${videoId} gives up its ${kind}, and nobody remembers to remove ${key}`)
      if (isKept) world.break(`${videoId} gives up its ${kind}, which is to be kept`)
      const own = deliveries.filter(({ kinds }) => kinds.includes(kind))
      const isMade = own.every(({ state }) => state === 'delivered')
      if (!isMade)
        world.break(`${videoId} gives up its ${kind}, and not all deliveries of it were made`)
    }
    for (const [i, { storage, key, kinds, state, reason = '' }] of deliveries.entries()) {
      const was = known.deliveries?.[i]?.state
      if (was === state) continue
      const name = `the delivery of ${videoId} to ${key}`
      if (was !== 'pending') world.break(`${name} was ${was}, and is ${state}`)
      const ours = kinds.map((kind) => bucket().objects.get(known.outputs[kind]?.key ?? ''))
      const isSame = (kind: string, n: number): boolean => {
        // The further files of an output lie beside the first.
        const place = n === 0 ? key : key.replace('/index.', `/${kind.split('.')[1] ?? ''}.`)
        const theirs = delivered().get(`storage-of-${storage}.example.com/results/${place}`)
        // Our copy may just be removed with its video.
        return ours[n]
          ? theirs === new TextDecoder().decode(ours[n].bytes)
          : theirs !== undefined && this.#deleting.has(videoId)
      }
      // It has neither what it has taken nor a reason of its own.
      if (storage === forgetful) continue
      if (state === 'delivered' && !kinds.every(isSame)) {
        world.break(`${name} is said to be made, and the bucket does not have the file`)
      }
      if (state === 'failed' && !isHonest(reason, !ours.includes(undefined))) {
        world.break(`${name} has failed: ${reason}`)
      }
    }
  }

  /** An event tells that all deliveries of a video have ended. */
  heardDelivered(videoId: string, type: string): void {
    const { world, database } = this.#parts
    const [row] = database.read<{ result: string | null }>(
      'SELECT result FROM videos WHERE id = ?',
      videoId,
    )
    const { deliveries = [] } = JSON.parse(row?.result ?? '{}') as Partial<Result>
    const states = deliveries.map(({ state }) => state)
    const isGood = states.every((state) => state === 'delivered')
    if (
      states.includes('pending') ||
      states.length === 0 ||
      type.endsWith('.delivered') !== isGood
    ) {
      world.break(`${videoId} has the event ${type}, and its deliveries are ${states.join()}`)
    }
  }
}

/** Whether another video has the files that lie under the name of this one, and has them until then at least. */
export function isFileOfOthers(database: Database, videoId: string, at = 0): boolean {
  const sql = `SELECT id FROM videos WHERE files_of = ?1 AND id <> ?1 AND files_deleted_at IS NULL AND files_expire_at > ?2`
  return database.read(sql, videoId, at).length > 0
}

function isHonest(reason: string, isKept: boolean): boolean {
  const tries = /^Not delivered in (\d+) attempts; /.exec(reason)?.[1]
  // An upload that a bucket has forgotten is begun once more.
  if (tries !== undefined) return Number(tries) >= mostTries && !reason.includes('NoSuchUpload')
  if (/^The storage \w+ was deleted$/.test(reason)) return true
  return reason.includes('not kept here any more') && !isKept
}
