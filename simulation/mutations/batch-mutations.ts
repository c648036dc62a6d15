import { plant, type Planted } from './planted.ts'

const batches = 'worker/store/videos/batches.ts'
const changes = 'worker/store/webhooks/delivery-changes.ts'

/** Faults in what is done for several videos at once, for files that videos share, and for webhooks that are sent once more. */
export const batchMutations: readonly Planted[] = [
  plant('a batch does not end with its last video', ['worker/service/jobs/end-job.ts', 3], {
    find: '  if (ended && found.video.batchId !== null) await endBatch(env, found.video.batchId)\n',
  }),
  plant(
    'a batch counts its videos before all have ended',
    ['worker/service/batches/end-batch.ts', 13],
    {
      find: '  if (await hasUnfinished(env.DB, batchId)) return false\n',
    },
  ),
  plant('a batch ends twice', [batches, 7], {
    find: '          isNull(batches.endedAt),\n          notExists',
    replace: '          notExists',
  }),
  plant(
    'the jobs of a batch are left to the sweep',
    ['worker/service/batches/submit-batch.ts', 3],
    {
      find: '      await env.JOBS.sendBatch(messages, { delaySeconds: delayOf(first) })\n',
    },
  ),
  plant('a batch is found without its account', [batches, 3], {
    find: '.where(and(eq(batches.id, batchId), eq(batches.accountId, accountId)))',
    replace: '.where(eq(batches.id, batchId))',
  }),
  plant(
    'a file that another video shares goes with a deleted one',
    ['worker/store/videos/retention.ts', 3],
    {
      find: 'const isAlone = not(isShared(0))',
      replace: 'const isAlone = undefined',
    },
  ),
  plant('a file that another video shares expires', ['worker/queue/sweep-objects.ts', 5], {
    find: 'const ownedAlone = sources.filter(({ isShared }) => !isShared)',
    replace: 'const ownedAlone = sources',
  }),
  plant('a redelivery is left to the sweep', ['worker/service/webhooks/deliveries.ts', 3], {
    find: '  await sendDeliveries(env, [delivery.id])\n',
  }),
  plant('a redelivery begins no schedule of its own', [changes, 7], {
    find: '        roundStart: sql`${deliveries.attemptCount}`,\n',
  }),
  plant('a redelivered webhook does not wait to be sent', [changes, 3], {
    find: "        status: 'pending',\n        roundStart",
    replace: '        roundStart',
  }),
  plant('an endpoint is not woken again', ['worker/durable/webhook-endpoint.ts', 4], {
    find: 'if (at !== undefined) await this.ctx.storage.setAlarm(at)\n',
    replace: 'if (at !== undefined) return\n',
  }),
  plant('a message that failed does not come again', ['worker/queue/consume.ts', 23], {
    find: '    message.retry()',
    replace: '    message.ack()',
  }),
  plant('a dead letter of a webhook is dropped', ['worker/queue/consume-webhooks.ts', 11], {
    find: '    await deliver(env, deliveryId).catch(',
    replace: '    await Promise.resolve().catch(',
  }),
  plant('the record of a batch does not say that it was canceled', [batches, 4], {
    find: 'canceledAt: sql`coalesce(${batches.canceledAt}, ${now})`',
    replace: 'canceledAt: sql`${batches.canceledAt}`',
  }),
  plant('an upload is found without its account', ['worker/store/objects/uploads.ts', 3], {
    find: '        and(eq(uploads.id, uploadId), eq(uploads.accountId, accountId), gt(uploads.expiresAt, now)),',
    replace: '        and(eq(uploads.id, uploadId), gt(uploads.expiresAt, now)),',
  }),
  plant('a delivery is found without its account', ['worker/store/webhooks/deliveries.ts', 3], {
    find: 'where(and(eq(deliveries.id, id), isTheirs))',
    replace: 'where(eq(deliveries.id, id))',
  }),
  plant('words that were heard are told to other accounts', ['worker/store/kept-words.ts', 5], {
    find: '          eq(keptWords.accountId, accountId),\n',
  }),
  plant('an Idempotency-Key is free at once', ['worker/store/idempotency.ts', 3], {
    find: '  return or(lte(idempotencyKeys.expiresAt, now), abandoned)',
    replace: '  return or(lte(idempotencyKeys.createdAt, now), abandoned)',
  }),
  plant('a budget refuses those who have not used it', ['worker/service/limits/budget.ts', 8], {
    find: 'if (used < limit) return',
    replace: 'if (used > limit) return',
  }),
  plant('a preset is found without its account', 'worker/store/named-rows.ts', {
    find: 'and(eq(this.#table.accountId, accountId), eq(this.#table.name, name))',
    replace: 'eq(this.#table.name, name)',
  }),
  plant(
    'an Idempotency-Key answers another request with a preset',
    ['worker/service/videos/submit-video.ts', 4],
    {
      find: 'known !== undefined && known.fingerprint === (await fingerprint(sent))',
      replace: 'known !== undefined',
    },
  ),
  plant(
    'a receiver puts a webhook off for as long as it wants',
    ['worker/service/webhooks/decide-delivery.ts', 4],
    {
      find: 'Math.min(retryAfterMs, Math.max(...scheduleMs))',
      replace: 'retryAfterMs',
    },
  ),
  plant(
    'what an endpoint has received is stopped with it',
    ['worker/store/webhooks/webhook-endpoints.ts', 2],
    {
      find: '    isNull(deliveries.finishedAt),\n',
    },
  ),
  plant('a redelivery has ended from the beginning', changes, {
    find: '        sweeps: 0,\n        finishedAt: null,\n',
    replace: '        sweeps: 0,\n',
  }),
  plant('a webhook goes where its receiver sends it', 'worker/service/webhooks/send-webhook.ts', {
    find: "redirect: 'manual'",
    replace: "redirect: 'follow'",
  }),
  plant(
    'of a part that came twice at once one is forgotten',
    ['worker/store/objects/upload-parts.ts', 14],
    {
      find: '          lt(uploadParts.storedAt, begunAt),\n',
    },
  ),
  plant('a result is told whose files are gone', ['worker/durable/job/same-work.ts', 22], {
    find: 'return isWhole ? same : undefined',
    replace: 'return isWhole === false ? same : same',
  }),
  plant('a webhook goes on after its endpoint was disabled', [changes, 72], {
    find: '${isOfRound} and ${deliveries.finishedAt} is null then',
    replace: '${isOfRound} then',
  }),
  plant(
    'what waits for its next attempt is sent although its endpoint was switched off',
    ['worker/durable/webhook-endpoint.ts', 3101],
    {
      find: "    if (found?.status !== 'pending') {",
      replace: '    if (!found) {',
    },
  ),
  plant('a webhook is tried before it is due', ['worker/durable/webhook-endpoint.ts', 35], {
    find: '    if (found.dueAt !== null && found.dueAt > now) {\n      this.#book.wait(id, found.dueAt)\n      return\n    }\n',
  }),
]
