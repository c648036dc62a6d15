import type { Mutation } from '../engine/program.ts'

/** A fault that somebody could have made, and that the simulation has to find; `seed`: the first one that is tried. */
export type Planted = Mutation & { name: string; days?: number; seed?: number }

const transitions = 'worker/store/videos/transitions.ts'
const endpoint = 'worker/durable/webhook-endpoint.ts'

/** One fault in each: a guard removed, a fence forgotten, an await lost, an alarm not set again. */
export const mutations: readonly Planted[] = [
  {
    name: 'a change of state does not ask for the state before it',
    file: transitions,
    find: '    inArray(videos.status, videoStatusesBefore(to)),\n',
    replace: '',
  },
  {
    name: 'an end is not bound to the claim that makes it',
    seed: 73,
    file: transitions,
    find: '    inArray(videos.status, videoStatusesBefore(to)),\n    atFence(db, claim),',
    replace: '    inArray(videos.status, videoStatusesBefore(to)),',
  },
  {
    name: 'an attempt stays open when its video ends',
    file: transitions,
    find: '    closeAttempt(db, claim, { outcome: to, trace: change.trace, now }, ended),\n',
    replace: '',
  },
  {
    name: 'a job does not end with its video',
    file: transitions,
    find: '.set({ finishedAt: now, error: change.jobError ?? null, waits: 0 })',
    replace: '.set({ error: change.jobError ?? null, waits: 0 })',
  },
  {
    name: 'a job that goes back to the queue keeps its attempt open',
    file: transitions,
    find: '      closeAttempt(db, claim, end),\n',
    replace: '',
  },
  {
    name: 'what an attempt has shown is forgotten when it is lost',
    file: transitions,
    find: 'progressPercent: sql`max(${videos.progressPercent}, ${end.progress?.percent ?? 0})`,\n          ...',
    replace: 'progressPercent: 0,\n          ...',
  },
  {
    name: 'a report of an outdated attempt is believed',
    seed: 7,
    file: 'worker/durable/job/job-runner.ts',
    find: 'return state && running?.fence === fence ?',
    replace: 'return state && running ?',
  },
  {
    name: 'two offers carry the same claim',
    seed: 2,
    file: 'worker/durable/job/unheld-job.ts',
    find: '      fence++\n',
    replace: '      if (fence === (found.job.fence)) fence++\n',
  },
  {
    name: 'a claim is offered before it is remembered',
    seed: 10,
    file: 'worker/durable/job/unheld-job.ts',
    find: '      memory.save({ ...unheldState(found, known), fence, offering: true })\n      const job',
    replace: '      const job',
  },
  {
    name: 'a lease never ends',
    file: 'worker/service/jobs/decide-lease.ts',
    find: "if (heardOut || now - leaseUntil <= promptMs) return 'over'",
    replace: '',
  },
  {
    name: 'an object forgets to forget its job',
    file: 'worker/durable/job/job-runner.ts',
    find: '        await memory.forgetLater(state.endedAt)\n',
    replace: '',
  },
  {
    name: 'the alarm after an end is not set',
    file: 'worker/durable/job/job-memory.ts',
    find: '    await this.wakeAt(endedAt + keptAfterEndMs)\n',
    replace: '',
  },
  {
    name: 'an Idempotency-Key is not kept',
    file: 'worker/store/idempotency.ts',
    find: 'return [prepared(d1, makeRoom), insertKeyRow(d1, row)]',
    replace: 'return [prepared(d1, makeRoom)]',
  },
  {
    name: 'a repeated create gets an answer of its own',
    file: 'worker/service/videos/submit-video.ts',
    find: 'return { videoId, body: decision.body, replayed: true }',
    replace:
      "return { videoId, body: decision.body.replace('The video', 'This video'), replayed: true }",
  },
  {
    name: 'the sweep hands over no delivery',
    file: 'worker/queue/sweep-webhooks.ts',
    find: '    await withinMs(answerMs, webhookEndpoint(env, accountId, url).offerAll(due))\n',
    replace: '',
  },
  {
    name: 'a delivery is not recorded',
    file: endpoint,
    find: '    await this.#record(id)\n',
    replace: '',
  },
  {
    name: 'a redirect counts as received',
    file: 'worker/service/webhooks/decide-delivery.ts',
    find: 'statusCode >= 200 && statusCode < 300',
    replace: 'statusCode >= 200 && statusCode < 400',
  },
  {
    name: 'a webhook is given up too early',
    seed: 5,
    file: 'worker/service/webhooks/decide-delivery.ts',
    find: 'const waitMs = scheduleMs[attempt]\n',
    replace: 'const waitMs = scheduleMs[attempt + 2]\n',
  },
  {
    name: 'a failed video has no event',
    file: 'worker/service/jobs/conclude.ts',
    find: 'if (!first) return change',
    replace: "if (!first || ending.to === 'failed') return change",
  },
  {
    name: 'the traces of a deleted video stay',
    file: 'worker/command/delete-video.ts',
    find: 'const prefixes = [videoPrefix(videoId), tracePrefix(videoId), ',
    replace: 'const prefixes = [videoPrefix(videoId), ',
  },
  {
    name: 'orphans are never removed',
    seed: 7,
    file: 'worker/queue/sweep-orphans.ts',
    find: 'return !row.written.includes(JSON.stringify(key).slice(1, -1))',
    replace: 'return false',
  },
  {
    name: 'files are removed, and the row does not say so',
    file: 'worker/queue/sweep-objects.ts',
    find: 'await markFilesDeleted(env.DB, await emptyPrefixes(env, expired, videoPrefix), now)',
    replace: 'await emptyPrefixes(env, expired, videoPrefix)',
  },
  {
    name: 'a gate forgets what it has counted',
    file: 'worker/durable/key-gate.ts',
    find: '    this.ctx.storage.kv.put(usesKey(lane), uses)\n',
    replace: '',
  },
  {
    name: 'a window admits one request too many',
    file: 'worker/service/limits/rate-limit.ts',
    find: 'use.count >= (windows[i]?.limit ?? 0)',
    replace: 'use.count > (windows[i]?.limit ?? 0)',
  },
  {
    name: 'a turn costs nothing',
    seed: 211,
    file: 'worker/service/line/line.ts',
    find: 'account.turn = Math.max(after(account), this.#now)\n',
    replace: '',
  },
  {
    name: 'a cap does not count turns that were given',
    seed: 21,
    file: 'worker/service/line/line.ts',
    find: 'given + held >= maxRunning',
    replace: 'held >= maxRunning',
  },
  {
    name: 'an archived record is not written before its rows go',
    file: 'worker/queue/sweep-archive.ts',
    find: '        await putArchived(env.BUCKET, ids, stored)\n',
    replace: '',
  },
  {
    name: 'a lease is not renewed',
    file: 'worker/durable/job/held-job.ts',
    find: 'return { ...running, leaseUntil: this.#leaseEnd(), heardOut: false }',
    replace: 'return { ...running, heardOut: false }',
  },
  {
    name: 'a webhook is sent with the id of its delivery',
    file: endpoint,
    find: '{ ...found, id: found.eventId, secrets',
    replace: '{ ...found, id, secrets',
  },
  {
    name: 'an event does not ask whether its video has just ended',
    seed: 3,
    file: transitions,
    find: 'select(sql`${eventRow} where ${ended}`)',
    replace: 'select(sql`${eventRow} where true`)',
  },
  {
    name: 'an Idempotency-Key is kept for a minute',
    file: 'worker/service/videos/submit-video.ts',
    find: 'expiresAt: now + keptForMs',
    replace: 'expiresAt: now + 60_000',
  },
  {
    name: 'a job whose upload was lost has succeeded',
    seed: 7,
    file: 'worker/durable/job/outputs.ts',
    find: 'needed.find(({ kind }) => !outputs[kind])',
    replace: 'needed.find(() => false)',
  },
  {
    name: 'an upload is given to a second video',
    seed: 2,
    file: 'worker/store/objects/uploads.ts',
    find: '    eq(uploads.accountId, video.accountId),\n    eq(uploads.status, upload.from),\n',
    replace: '    eq(uploads.accountId, video.accountId),\n',
  },
  {
    name: 'an expired upload leaves its object',
    seed: 2,
    file: 'worker/queue/sweep-uploads.ts',
    find: '      await removeUploadObjects(env, upload)\n',
    replace: '',
  },
  {
    name: 'expired uploads are not forgotten',
    file: 'worker/queue/sweep-uploads.ts',
    find: '  await forgetUploads(env.DB, over)\n',
    replace: '',
  },
  {
    name: 'the sweep drops uploads that a video has',
    file: 'worker/store/objects/uploads.ts',
    find: "and(ne(uploads.status, 'used'), lte(uploads.expiresAt, now))",
    replace: 'lte(uploads.expiresAt, now)',
  },
]
