import { plant, type Planted } from './planted.ts'

const sameWork = 'worker/durable/job/same-work.ts'
const held = 'worker/durable/job/held-job.ts'
const conclude = 'worker/service/jobs/conclude.ts'
const objects = 'worker/store/objects/objects.ts'
const orphans = 'worker/queue/sweep-orphans.ts'
const deletion = 'worker/command/delete-video.ts'

/** Faults in what is made: who gets the result of others, what of it is kept, and what is told of how it was made. */
export const madeMutations: readonly Planted[] = [
  plant('who wants work of their own gets the result of before', [sameWork, 7], {
    find: '    if (request.reuse === false) return false\n    let before',
    replace: '    let before',
  }),
  plant('a video in line ends with a result that its customer does not want', [sameWork, 7], {
    find: 'source?.sha256 === undefined || request.reuse === false',
    replace: 'source?.sha256 === undefined',
  }),
  plant('a result without the words that were asked for answers others', [conclude, 10], {
    find: '    ...(made && isWhole && { made }),\n',
    replace: '    ...(made && isWhole !== undefined && { made }),\n',
  }),
  plant('a result of which a file was lost answers others', [held, 10], {
    find: 'made: isWhole ? running.made : undefined',
    replace: 'made: isWhole ? running.made : running.made',
  }),
  plant('a result is given away although one of its files is gone', [objects, 22], {
    find: 'found.every((one) => one !== null)',
    replace: 'found.some((one) => one !== null)',
  }),
  plant('what was stored is not found if the answer to that was lost', [objects, 3_000_002], {
    find: '    const object = await bucket.head(upload.key)\n    if (object) return object\n',
  }),
  plant('only the first page of the objects of a video is removed', [objects, 3_000_002], {
    find: '      if (!page.truncated) return\n',
    replace: '      return\n',
  }),
  plant('the upload of a file that was told wrongly stays', ['worker/durable/job/job-end.ts', 7], {
    find: "  if (ending.to === 'canceled') return uploads\n",
    replace: "  if (ending.to === 'succeeded') return {}\n",
  }),
  plant('what a canceled attempt has done is not told', ['worker/durable/job/cancel-job.ts', 8], {
    find: '      if (kept) await saveTrace(env.DB, claim, { trace: kept })\n',
    replace: '      void [kept, saveTrace]\n',
  }),
  plant('each attempt has all of the time of its job', [held, 2], {
    find: 'const startedAt = job.startedAt ?? now',
    replace: 'const startedAt = now',
  }),
  plant(
    'a file goes that is to be kept after its delivery',
    ['worker/service/storages/plan-deliveries.ts', 3],
    {
      find: '!destination.keep && resultsFor',
      replace: 'resultsFor',
    },
  ),
  plant('a file of a customer is counted twice', ['worker/store/usage.ts', 22], {
    find: "status in ('receiving', 'open', 'ready')",
    replace: "status in ('receiving', 'open', 'ready', 'used')",
  }),
  plant('a file that was refused stays', ['worker/upload/complete-upload.ts', 14], {
    find: '    await removeUploadObjects(env, upload)\n    return\n',
    replace: '    return\n',
  }),
  plant('a request for addresses forgets the uploads of before', [held, 3_000_001], {
    find: '{ ...running.uploads, [request.kind]: granted.upload }',
    replace: '{ [request.kind]: granted.upload }',
  }),
  plant(
    'an attempt that was interrupted does not count',
    ['worker/durable/webhook-endpoint.ts', 3_000_001],
    {
      find: 'this.#note(id, sending, { ...result, interrupted: true })',
      replace: 'void result',
    },
  ),
  plant(
    'a part of a file begins too early',
    ['worker/service/storages/send-object.ts', 3_000_001],
    {
      find: 'readSource(sending, begun.etags.length * storageLimits.partBytes)',
      replace: 'readSource(sending, Math.max(0, begun.etags.length - 1) * storageLimits.partBytes)',
    },
  ),
  plant('the mark of a deleted video is taken for an orphan', [orphans, 3_000_006], {
    find: "  if (key.split('/')[2] !== 'out') return false\n",
  }),
  plant('what was said stays in the log of a video of the archive', [deletion, 18], {
    find: '  await removeTextFromEvents(env.DB, { accountId, videoId })\n',
  }),
  plant('one delivery that was made counts for all', ['worker/durable/delivery-round.ts', 14], {
    find: "result.deliveries.every(({ state }) => state === 'delivered')",
    replace: "result.deliveries.some(({ state }) => state === 'delivered')",
  }),
  plant('a limit that was changed is forgotten by its gate', ['worker/durable/key-gate.ts', 18], {
    find: 'if (key) this.enroll({ ...key, rateLimits })',
    replace: 'if (key) this.#key = { ...key, rateLimits }',
  }),
  plant('one key of an account hears of its limit', ['worker/command/administer-accounts.ts', 18], {
    find: 'of await listApiKeys(env.DB, accountId)) {',
    replace: 'of (await listApiKeys(env.DB, accountId)).slice(0, 1)) {',
  }),
]
