import type { Planted } from './planted.ts'

const changes = 'worker/store/webhooks/delivery-changes.ts'
const batches = 'worker/store/videos/batches.ts'
const people = 'worker/store/people'

/** Faults in what rows keep for good, and in what accounts and their people may ask for. */
export const plainMutations: readonly Planted[] = [
  {
    name: 'the time of a job begins once more with each attempt',
    seed: 1,
    file: 'worker/store/videos/transitions.ts',
    find: 'startedAt: sql`coalesce(${jobs.startedAt}, ${start.now})`',
    replace: 'startedAt: start.now',
  },
  {
    name: 'new notes take the place of what was asked for',
    seed: 1,
    file: 'worker/store/videos/videos.ts',
    find: "sql`json_set(${videos.request}, '$.metadata'",
    replace: "sql`json_set('{}', '$.metadata'",
  },
  {
    name: 'the operator does not hear of a dead letter',
    seed: 1,
    file: 'worker/queue/consume.ts',
    find: '    await markDeadLettered(env.DB, jobId, Date.now())\n',
    replace: '',
  },
  {
    name: 'a redelivery goes to the address of before',
    seed: 3,
    file: changes,
    find: '      url: sql`coalesce((select now.url from webhook_endpoints as now where now.id = ${deliveries.endpointId}), ${deliveries.url})`,\n',
    replace: '',
  },
  {
    name: 'the log of a webhook grows without an end',
    seed: 3,
    file: changes,
    find: "else json_remove(${attempts}, '$[0]') end`",
    replace: 'else ${attempts} end`',
  },
  {
    name: 'the log of a webhook calls every retry a redelivery',
    seed: 3,
    file: 'worker/durable/webhook-endpoint.ts',
    find: 'redelivery: found.roundStart > 0,',
    replace: 'redelivery: found.attemptCount > 0,',
  },
  {
    name: 'a redelivery has links that have expired',
    seed: 3,
    file: 'worker/service/webhooks/deliveries.ts',
    find: '{ id: delivery.id, eventId: event.id, body }, now',
    replace: '{ id: delivery.id, eventId: event.id, body: body && undefined }, now',
  },
  {
    name: 'a receiver is asked any number of times at once',
    seed: 3,
    file: 'worker/durable/webhook-endpoint.ts',
    find: 'this.#book.takeDue(now, now + leaseMs, inFlight)',
    replace: 'this.#book.takeDue(now, now + leaseMs, 1000 * inFlight)',
  },
  {
    name: 'a batch is canceled after its end',
    seed: 3,
    file: batches,
    find: '    .where(and(eq(batches.id, batchId), isNull(batches.endedAt)))\n    .returning({ id: batches.id }),',
    replace: '    .where(eq(batches.id, batchId))\n    .returning({ id: batches.id }),',
  },
  {
    name: 'a batch that is canceled already refuses another cancel',
    seed: 3,
    file: 'worker/command/cancel-batch.ts',
    find: '  if (!isOpen && row.canceledAt === null) {',
    replace: '  if (!isOpen) {',
  },
  {
    name: 'the day of an upload begins when it is announced',
    seed: 3,
    file: 'worker/upload/complete-upload.ts',
    find: 'expiresAt: now + uploadLifetimeMs, contentType }',
    replace: 'expiresAt: upload.expiresAt, contentType }',
  },
  {
    name: 'a link leads to the files of a deleted video',
    seed: 5,
    file: 'worker/command/delete-video.ts',
    find: '  if (!isLast && owner === videoId) await markGone(env.BUCKET, videoId)\n',
    replace: '',
  },
  {
    name: 'a job that every media worker refuses waits for ever',
    seed: 1,
    file: 'worker/durable/job/unheld-job.ts',
    find: '    memory.save({ ...unheldState(found, known), fence, refusedSince })\n',
    replace: '    memory.save({ ...unheldState(found, undefined), fence })\n',
  },
  {
    name: 'an invitation makes an owner of everybody',
    seed: 1,
    file: `${people}/invitations.ts`,
    find: 'select account_id, ?2, role, ?3 from invitations',
    replace: "select account_id, ?2, 'owner', ?3 from invitations",
  },
  {
    name: 'the last owner of an account may leave',
    seed: 1,
    file: `${people}/members.ts`,
    find: "and person_id = ?2 and (role <> 'owner' or exists (",
    replace: "and person_id = ?2 and (role <> 'nobody' or exists (",
  },
  {
    name: 'a part of an upload that is complete is a fault of the service',
    seed: 3,
    file: 'worker/upload/receive-part.ts',
    find: "    case 'ready':\n    case 'refused':",
    replace: "    case 'ready':\n      return upload\n    case 'refused':",
  },
  {
    name: 'a video that was renamed since it was read is archived',
    seed: 1,
    file: 'worker/store/videos/leave-database.ts',
    find: " AND v.updated_at = r.value ->> 'updatedAt'",
    replace: '',
  },
  {
    name: 'the archive lists a video that was deleted',
    seed: 1,
    file: 'worker/store/videos/archive.ts',
    find: 'several.flatMap(archivedKeys)',
    replace: 'several.flatMap((one) => archivedKeys(one).slice(0, 2))',
  },
  {
    name: 'a courier that did not answer counts as told',
    seed: 1,
    file: 'worker/queue/sweep-deliveries.ts',
    find: "    log('error', 'sweep could not wake a courier', { videoId, ...describeError(error) })\n    return false",
    replace:
      "    log('error', 'sweep could not wake a courier', { videoId, ...describeError(error) })\n    return true",
  },
  {
    name: 'an upload that a bucket has forgotten is not begun once more',
    seed: 1,
    file: 'worker/service/storages/send-object.ts',
    find: '  if (isLost) sending.save(undefined)\n',
    replace: '  void isLost\n',
  },
  {
    name: 'the quicker of two deletions at once leaves the source',
    seed: 66,
    file: 'worker/store/videos/retention.ts',
    find: 'exists(ifOne(and(eq(videos.id, videoId), isAlone)))',
    replace:
      'sql`${tombstones.createdAt} = ${now}`, exists(ifOne(and(eq(videos.id, videoId), isAlone)))',
  },
  {
    name: 'the walk over orphans leaves out its last page',
    seed: 1,
    file: 'worker/queue/sweep-orphans.ts',
    find: '    await removeOrphans(env, listed.objects, now)\n',
    replace: '    if (listed.truncated) await removeOrphans(env, listed.objects, now)\n',
  },
  {
    name: 'an object that is young is taken for an orphan',
    seed: 1,
    file: 'worker/queue/sweep-orphans.ts',
    find: '({ uploaded }) => uploaded.getTime() < now - dayMs',
    replace: '({ uploaded }) => uploaded.getTime() < now',
  },
  {
    name: 'what continues an upload is counted with all other requests',
    seed: 2,
    file: 'worker/durable/key-gate.ts',
    find: 'return `uses:${lane}`',
    replace: 'return `uses:${lane.slice(0, 0)}`',
  },
]
