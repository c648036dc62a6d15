import { accountMutations } from './account-mutations.ts'
import { answeredMutations } from './answered-mutations.ts'
import { askedMutations } from './asked-mutations.ts'
import { batchMutations } from './batch-mutations.ts'
import { besideMutations } from './beside-mutations.ts'
import { datedMutations } from './dated-mutations.ts'
import { madeMutations } from './made-mutations.ts'
import { lateMutations, partMutations } from './part-mutations.ts'
import { plainMutations } from './plain-mutations.ts'
import { plant, type Planted } from './planted.ts'
import { sentMutations } from './sent-mutations.ts'
import { sessionMutations } from './session-mutations.ts'
import { shownMutations } from './shown-mutations.ts'
import { lonelyMutations, slotMutations } from './slot-mutations.ts'
import { toldMutations } from './told-mutations.ts'
import { unseenMutations } from './unseen-mutations.ts'
import { untoldMutations } from './untold-mutations.ts'
import { wayMutations } from './way-mutations.ts'

const transitions = 'worker/store/videos/transitions.ts'
const endpoint = 'worker/durable/webhook-endpoint.ts'

/** One fault in each: a guard removed, a fence forgotten, an await lost, an alarm not set again. */
export const mutations: readonly Planted[] = [
  plant('a change of state does not ask for the state before it', [transitions, 2], {
    find: ' inArray(videos.status, before),',
  }),
  plant('an end is not bound to the claim that makes it', [transitions, 1], {
    find: ' inArray(videos.status, before), atFence(db, claim))',
    replace: ' inArray(videos.status, before))',
  }),
  plant('an attempt stays open when its video ends', transitions, {
    find: '    closeAttempt(db, claim, { outcome: to, trace: change.trace, now }, ended),\n',
  }),
  plant('a job does not end with its video', transitions, {
    find: '.set({ finishedAt: now, error: change.jobError ?? null, waits: 0 })',
    replace: '.set({ error: change.jobError ?? null, waits: 0 })',
  }),
  plant('a key that has expired is let in', ['worker/durable/key-gate.ts', 8], {
    find: "    if (key.expiresAt !== null && key.expiresAt <= now) return { outcome: 'expired' }\n",
  }),
  plant('what an attempt has shown is forgotten when it is lost', transitions, {
    find: 'progressPercent: sql`max(${videos.progressPercent}, ${end.progress?.percent ?? 0})`,\n          ...',
    replace: 'progressPercent: 0,\n          ...',
  }),
  plant('a report of an outdated attempt is believed', ['worker/durable/job/job-runner.ts', 3], {
    find: 'return state && running?.fence === fence ?',
    replace: 'return state && running ?',
  }),
  plant('two offers carry the same claim', ['worker/durable/job/unheld-job.ts', 3], {
    find: '      fence++\n',
    replace: '      if (fence === (found.job.fence)) fence++\n',
  }),
  plant('a claim is offered before it is remembered', ['worker/durable/job/unheld-job.ts', 61], {
    find: '      memory.save({ ...unheldState(found, known), fence, offering: true })\n      const job',
    replace: '      const job',
  }),
  plant('a lease never ends', 'worker/service/jobs/decide-lease.ts', {
    find: "if (heardOut || now - leaseUntil <= promptMs) return 'over'",
  }),
  plant('a change of a plan is ignored by the line', ['worker/service/line/line.ts', 2], {
    find: 'if (account) Object.assign(account, { weight, maxRunning })',
    replace: 'if (account) void [weight, maxRunning]',
  }),
  plant('the alarm after an end is not set', 'worker/durable/job/job-memory.ts', {
    find: '    await this.wakeAt(endedAt + keptAfterEndMs)\n',
  }),
  plant('an Idempotency-Key is not kept', 'worker/store/idempotency.ts', {
    find: 'return [makeRoom(d1, row, { token }), insertKeyRow(d1, row)]',
    replace: 'return [makeRoom(d1, row, { token })]',
  }),
  plant('a webhook is signed with the secret of before alone', [endpoint, 4], {
    find: '? [secret, previousSecret]',
    replace: '? [previousSecret]',
  }),
  plant('the sweep hands over no delivery', 'worker/queue/sweep-webhooks.ts', {
    find: '    await withinMs(answerMs, webhookEndpoint(env, accountId, url).offerAll(due))\n',
  }),
  plant('a delivery is not recorded', endpoint, {
    find: '    await this.#record(id)\n',
  }),
  plant(
    'a receiver that is gone is asked again',
    ['worker/service/webhooks/decide-delivery.ts', 4],
    {
      find: "if (statusCode === 410) return { status: 'stopped' }\n",
    },
  ),
  plant('a webhook is given up too early', ['worker/service/webhooks/decide-delivery.ts', 5], {
    find: 'const waitMs = scheduleMs[attempt]\n',
    replace: 'const waitMs = scheduleMs[attempt + 2]\n',
  }),
  plant('a courier remembers its files after the end', ['worker/durable/courier.ts', 1], {
    find: "    this.ctx.storage.kv.put('removed', round.filesToRemove())\n    await round.end()\n",
    replace:
      "    await round.end()\n    this.ctx.storage.kv.put('removed', round.filesToRemove())\n",
  }),
  plant('sources are kept for half of their time', ['worker/service/jobs/conclude.ts', 1], {
    find: 'mint.now + mint.retainSourcesMs',
    replace: 'mint.now + mint.retainSourcesMs / 2',
  }),
  plant('orphans are never removed', ['worker/queue/sweep-orphans.ts', 7], {
    find: 'return !row.written.includes(JSON.stringify(key).slice(1, -1))',
    replace: 'return false',
  }),
  plant('expired files go that another video has', ['worker/queue/sweep-objects.ts', 2_000_501], {
    find: 'const filesAlone = files.filter(({ isShared }) => !isShared)',
    replace: 'const filesAlone = files',
  }),
  plant('files are removed, and the row does not say so', 'worker/queue/sweep-objects.ts', {
    find: 'await markFilesDeleted(env.DB, idsOf([...gone',
    replace: 'void (idsOf([...gone',
  }),
  plant('a gate forgets what it has counted', ['worker/durable/key-gate.ts', 8], {
    find: '    this.ctx.storage.kv.put(usesKey(lane), uses)\n',
  }),
  plant('a window admits one request too many', 'worker/service/limits/rate-limit.ts', {
    find: 'use.count >= (windows[i]?.limit ?? 0)',
    replace: 'use.count > (windows[i]?.limit ?? 0)',
  }),
  plant('a turn costs nothing', ['worker/service/line/line.ts', 160], {
    find: 'account.turn = Math.max(after(account), this.#now)\n',
  }),
  plant('a cap does not count turns that were given', ['worker/service/line/line.ts', 25], {
    find: 'given + held >= maxRunning',
    replace: 'held >= maxRunning',
  }),
  plant('an archived record is not written before its rows go', 'worker/queue/sweep-archive.ts', {
    find: '      await write(env, ids, stored)\n',
  }),
  plant('a lease is not renewed', 'worker/durable/job/held-job.ts', {
    find: 'return { ...running, leaseUntil: this.#leaseEnd(), heardOut: false }',
    replace: 'return { ...running, heardOut: false }',
  }),
  plant('a webhook is sent with the id of its delivery', endpoint, {
    find: '{ ...found, id: found.eventId, secrets',
    replace: '{ ...found, id, secrets',
  }),
  plant(
    'an event does not ask whether its video has just ended',
    ['worker/store/webhooks/tell.ts', 1],
    {
      find: 'select(sql`${eventRow} where ${ended}`)',
      replace: 'select(sql`${eventRow} where true`)',
    },
  ),
  plant('an Idempotency-Key is kept for a minute', 'worker/service/idempotency.ts', {
    find: 'expiresAt: now + keptForMs',
    replace: 'expiresAt: now + 60_000',
  }),
  plant('a job whose upload was lost has succeeded', ['worker/durable/job/outputs.ts', 7], {
    find: 'needed.find(({ kind }) => !outputs[kind])',
    replace: 'needed.find(() => false)',
  }),
  plant('an upload is given to a second video', ['worker/store/videos/insert-videos.ts', 3], {
    find: ' AND uploads.status = ?3',
  }),
  plant('an expired upload leaves its object', ['worker/queue/sweep.ts', 2], {
    find: '      await removeUploadObjects(env, upload)\n',
  }),
  plant('an invitation is not used up', ['worker/store/people/invitations.ts', 8], {
    find: 'delete from invitations where token_hash = ?1 and expires_at > ?2 returning account_id',
    replace: 'select account_id from invitations where token_hash = ?1 and expires_at > ?2',
  }),
  plant('the sweep drops uploads that a video has', 'worker/store/objects/uploads.ts', {
    find: "ne(uploads.status, 'used'), lte(uploads.expiresAt, now)",
    replace: 'lte(uploads.expiresAt, now)',
  }),
  plant('a dead letter of a job is dropped', ['worker/queue/consume.ts', 7], {
    find: '      await env.JOBS.send(message, { delaySeconds: deadDelaySeconds })\n',
  }),
  plant('the dispatcher is not woken again', ['worker/durable/dispatcher.ts', 7], {
    find: '    this.#assign()\n    await this.#setAlarm()\n  }\n\n  /** Resolves when everything',
    replace: '    this.#assign()\n  }\n\n  /** Resolves when everything',
  }),
  plant('an upload in parts is not aborted', 'worker/service/uploads/source-upload.ts', {
    find: '  await abortIfThere(env.BUCKET, { key, uploadId: upload.multipartId })\n',
  }),
  plant(
    'a file that a bucket has refused counts as delivered',
    ['worker/service/storages/send-object.ts', 6],
    {
      find: "if (!answer.ok) return failed('PUT', answer)\n  return prove",
      replace: "if (!answer.ok) return { outcome: 'delivered' }\n  return prove",
    },
  ),
  plant('a courier is not woken again', ['worker/durable/courier.ts', 4], {
    find: '    if (next !== undefined) await this.ctx.storage.setAlarm(next)\n',
  }),
  plant('a courier that is done keeps its place', ['worker/durable/courier.ts', 2_000_504], {
    find: '    } finally {\n      places.delete(videoId)\n    }',
    replace: '    } finally {\n      void 0\n    }',
  }),
  plant('a courier is not told', ['worker/durable/job/job-end.ts', 3], {
    find: '    if (ended && isToDeliver) await callCourier(env, found.video.id)\n',
  }),
  plant('our copy goes before its row says so', 'worker/durable/courier.ts', {
    find: '    await round.end()\n',
    replace: '    await this.env.BUCKET.delete(round.filesToRemove())\n    await round.end()\n',
  }),
  plant('our copy stays after it was delivered', 'worker/durable/courier.ts', {
    find: '    if (removed.length > 0) await this.env.BUCKET.delete(removed)\n',
  }),
  plant('a video that was delivered is delivered again', 'worker/store/undelivered.ts', {
    find: '    db.delete(undelivered).where(and(eq(undelivered.videoId, videoId), ended)),\n',
  }),
  plant(
    'an archive that another sweep has written is removed',
    ['worker/queue/sweep-archive.ts', 5],
    {
      find: '    several.filter((ids) => buried.has(keyOf(ids))),\n',
      replace: '    several,\n',
    },
  ),
  plant('the line does not know weights', ['worker/service/line/line.ts', 57], {
    find: 'turn + 1 / weight',
    replace: 'turn + 1',
  }),
  plant('the end of a lease wakes nobody', ['worker/durable/job/held-job.ts', 3], {
    find: '    await memory.wakeAt(Math.min(leaseUntil, Date.now() + carrier.lookMs))\n',
  }),
  plant(
    'our copy goes although a delivery has failed',
    ['worker/service/storages/plan-deliveries.ts', 4],
    {
      find: "const isMade = own.every(({ state }) => state === 'delivered')",
      replace: 'const isMade = own.length > 0',
    },
  ),
  plant('the feed tells the last end again', ['worker/store/videos/ended-videos.ts', 7], {
    find: 'sql`${endedOrder} > ${after}`',
    replace: 'sql`${endedOrder} >= ${after}`',
  }),
  plant('the courier of a deleted video is not called', ['worker/command/delete-video.ts', 4], {
    find: '  if (video.request.destinations) await callCourier(env, videoId)\n',
  }),
  plant(
    'the source of a deleted video is left to the sweep',
    ['worker/command/delete-video.ts', 4],
    {
      find: ', ...(isOwn ? [source] : [])]',
      replace: ']',
    },
  ),
  plant('a video is found without its account', ['worker/store/videos/videos.ts', 3], {
    find: 'selectShown(db).where(and(eq(videos.id, videoId), eq(videos.accountId, accountId)))',
    replace: 'selectShown(db).where(eq(videos.id, videoId))',
  }),
  plant('a step of the sweep that fails stops those after it', ['worker/queue/sweep.ts', 1], {
    find: "      log('error', 'a step of the sweep failed', { step, ...describeError(error) })",
    replace: '      return void error',
  }),
  plant('an upload that could not be removed is forgotten', ['worker/queue/sweep.ts', 6], {
    find: "      log('error', 'sweep could not remove an upload'",
    replace: "      over.push(uploadId)\n      log('error', 'sweep could not remove an upload'",
  }),
  ...batchMutations,
  ...slotMutations,
  ...accountMutations,
  ...besideMutations,
  ...plainMutations,
  ...toldMutations,
  ...lonelyMutations,
  ...madeMutations,
  ...partMutations,
  ...lateMutations,
  ...askedMutations,
  ...answeredMutations,
  ...sessionMutations,
  ...shownMutations,
  ...datedMutations,
  ...sentMutations,
  ...untoldMutations,
  ...unseenMutations,
  ...wayMutations,
]
