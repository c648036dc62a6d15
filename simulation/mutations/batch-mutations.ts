import type { Planted } from './planted.ts'

const batches = 'worker/store/videos/batches.ts'
const changes = 'worker/store/webhooks/delivery-changes.ts'

/** Faults in what is done for several videos at once, for files that videos share, and for webhooks that are sent once more. */
export const batchMutations: readonly Planted[] = [
  {
    name: 'a batch does not end with its last video',
    seed: 3,
    file: 'worker/service/jobs/end-job.ts',
    find: '  if (ended && found.video.batchId !== null) await endBatch(env, found.video.batchId)\n',
    replace: '',
  },
  {
    name: 'a batch counts its videos before all have ended',
    seed: 5,
    file: 'worker/service/batches/end-batch.ts',
    find: '  if (!(await isThrough(env.DB, batchId))) return false\n',
    replace: '',
  },
  {
    name: 'a batch ends twice',
    seed: 5,
    file: batches,
    find: '          isNull(batches.endedAt),\n          notExists',
    replace: '          notExists',
  },
  {
    name: 'the jobs of a batch are left to the sweep',
    seed: 3,
    file: 'worker/service/batches/submit-batch.ts',
    find: '      await env.JOBS.sendBatch(messages, { delaySeconds: delayOf(first) })\n',
    replace: '',
  },
  {
    name: 'a batch is found without its account',
    seed: 3,
    file: batches,
    find: '  const mine = and(eq(batches.id, batchId), eq(batches.accountId, accountId))\n',
    replace: '  const mine = eq(batches.id, batchId)\n',
  },
  {
    name: 'a file that another video shares goes with a deleted one',
    seed: 3,
    file: 'worker/store/videos/retention.ts',
    find: '.where(and(has, not(isShared(0))))',
    replace: '.where(has)',
  },
  {
    name: 'a file that another video shares expires',
    seed: 4,
    file: 'worker/queue/sweep-objects.ts',
    find: 'const ownedAlone = sources.filter(({ isShared }) => !isShared)',
    replace: 'const ownedAlone = sources',
  },
  {
    name: 'a redelivery is left to the sweep',
    seed: 3,
    file: 'worker/service/webhooks/redeliver.ts',
    find: '  await sendDelivery(env, delivery.id)\n',
    replace: '',
  },
  {
    name: 'a redelivery begins no schedule of its own',
    seed: 7,
    file: changes,
    find: '      roundStart: sql`${deliveries.attemptCount}`,\n',
    replace: '',
  },
  {
    name: 'a redelivered webhook does not wait to be sent',
    seed: 3,
    file: changes,
    find: "      status: 'pending',\n      roundStart",
    replace: '      roundStart',
  },
  {
    name: 'an endpoint is not woken again',
    seed: 4,
    file: 'worker/durable/webhook-endpoint.ts',
    find: 'if (at !== undefined) await this.ctx.storage.setAlarm(at)\n',
    replace: 'if (at !== undefined) return\n',
  },
  {
    name: 'a message that failed does not come again',
    seed: 15,
    file: 'worker/queue/consume.ts',
    find: '    message.retry()',
    replace: '    message.ack()',
  },
  {
    name: 'a dead letter of a webhook is dropped',
    seed: 7,
    file: 'worker/queue/consume-webhooks.ts',
    find: '      await deliver(env, deliveryId).catch(',
    replace: '      await Promise.resolve().catch(',
  },
  {
    name: 'the record of a batch does not say that it was canceled',
    seed: 3,
    file: batches,
    find: 'canceledAt: sql`coalesce(${batches.canceledAt}, ${now})`',
    replace: 'canceledAt: sql`${batches.canceledAt}`',
  },
  {
    name: 'an upload is found without its account',
    seed: 3,
    file: 'worker/store/objects/uploads.ts',
    find: '        and(eq(uploads.id, uploadId), eq(uploads.accountId, accountId), gt(uploads.expiresAt, now)),',
    replace: '        and(eq(uploads.id, uploadId), gt(uploads.expiresAt, now)),',
  },
  {
    name: 'a delivery is found without its account',
    seed: 3,
    file: 'worker/store/webhooks/deliveries.ts',
    find: '          accountId === undefined ? undefined : eq(deliveries.accountId, accountId),\n        ),\n      )\n      .get()',
    replace: '          undefined,\n        ),\n      )\n      .get()',
  },
  {
    name: 'words that were heard are told to other accounts',
    file: 'worker/store/kept-words.ts',
    find: '          eq(keptWords.accountId, accountId),\n',
    replace: '',
  },
  {
    name: 'an Idempotency-Key is free at once',
    seed: 3,
    file: 'worker/store/idempotency.ts',
    find: '  return or(lte(idempotencyKeys.expiresAt, now), abandoned)',
    replace: '  return or(lte(idempotencyKeys.createdAt, now), abandoned)',
  },
]
