import { plant, type Planted } from './planted.ts'

const changes = 'worker/store/webhooks/delivery-changes.ts'
const batches = 'worker/store/videos/batches.ts'
const people = 'worker/store/people'

/** Faults in what rows keep for good, and in what accounts and their people may ask for. */
export const plainMutations: readonly Planted[] = [
  plant(
    'the time of a job begins once more with each attempt',
    ['worker/store/videos/transitions.ts', 1],
    {
      find: 'startedAt: sql`coalesce(${jobs.startedAt}, ${start.now})`',
      replace: 'startedAt: start.now',
    },
  ),
  plant('new notes take the place of what was asked for', ['worker/store/videos/videos.ts', 1], {
    find: "sql`json_set(${videos.request}, '$.metadata'",
    replace: "sql`json_set('{}', '$.metadata'",
  }),
  plant('the operator does not hear of a dead letter', ['worker/queue/consume.ts', 1], {
    find: '    await markDeadLettered(env.DB, jobId, Date.now())\n',
  }),
  plant('a redelivery goes to the address of before', [changes, 4], {
    find: '      url: sql`coalesce((select now.url from webhook_endpoints as now where now.id = ${deliveries.endpointId}), ${deliveries.url})`,\n',
  }),
  plant('the log of a webhook grows without an end', [changes, 3], {
    find: "else json_remove(${attempts}, '$[0]') end`",
    replace: 'else ${attempts} end`',
  }),
  plant(
    'the log of a webhook calls every retry a redelivery',
    ['worker/durable/webhook-endpoint.ts', 3],
    {
      find: 'redelivery: found.roundStart > 0,',
      replace: 'redelivery: found.attemptCount > 0,',
    },
  ),
  plant('a redelivery has links that have expired', ['worker/service/webhooks/deliveries.ts', 3], {
    find: '{ id: delivery.id, eventId: event.id, body }, now',
    replace: '{ id: delivery.id, eventId: event.id, body: body && undefined }, now',
  }),
  plant(
    'a receiver is asked any number of times at once',
    ['worker/durable/webhook-endpoint.ts', 3],
    {
      find: 'this.#book.takeDue(now, now + leaseMs, inFlight)',
      replace: 'this.#book.takeDue(now, now + leaseMs, 1000 * inFlight)',
    },
  ),
  plant('a batch is canceled after its end', [batches, 7], {
    find: '    .where(and(eq(batches.id, batchId), isNull(batches.endedAt)))\n    .returning({ id: batches.id }),',
    replace: '    .where(eq(batches.id, batchId))\n    .returning({ id: batches.id }),',
  }),
  plant(
    'a batch that is canceled already refuses another cancel',
    ['worker/command/cancel-batch.ts', 7],
    {
      find: '  if (!isOpen && row.canceledAt === null) {',
      replace: '  if (!isOpen) {',
    },
  ),
  plant(
    'the day of an upload begins when it is announced',
    ['worker/upload/complete-upload.ts', 4],
    {
      find: 'expiresAt: now + uploadLifetimeMs, contentType }',
      replace: 'expiresAt: upload.expiresAt, contentType }',
    },
  ),
  plant('a link leads to the files of a deleted video', ['worker/command/delete-video.ts', 5], {
    find: '  if (!isLast && owner === videoId) await markGone(env.BUCKET, videoId)\n',
  }),
  plant(
    'a job that every media worker refuses waits for ever',
    ['worker/durable/job/unheld-job.ts', 5],
    {
      find: '    memory.save({ ...unheldState(found, known), fence, refusedSince })\n',
      replace: '    memory.save({ ...unheldState(found, undefined), fence })\n',
    },
  ),
  plant('an invitation makes an owner of everybody', [`${people}/invitations.ts`, 8], {
    find: 'select account_id, ?2, role, ?3 from invitations',
    replace: "select account_id, ?2, 'owner', ?3 from invitations",
  }),
  plant('the last owner of an account may leave', [`${people}/members.ts`, 8], {
    find: "and person_id = ?2 and (role <> 'owner' or exists (",
    replace: "and person_id = ?2 and (role <> 'nobody' or exists (",
  }),
  plant(
    'a part of an upload that is complete is a fault of the service',
    ['worker/upload/receive-part.ts', 3],
    {
      find: "    case 'ready':\n    case 'refused':",
      replace: "    case 'ready':\n      return upload\n    case 'refused':",
    },
  ),
  plant(
    'a video that was renamed since it was read is archived',
    ['worker/store/videos/leave-database.ts', 1],
    {
      find: " AND v.updated_at = r.value ->> 'updatedAt'",
    },
  ),
  plant('the archive lists a video that was deleted', ['worker/store/videos/archive.ts', 1], {
    find: 'several.flatMap(archivedKeys)',
    replace: 'several.flatMap((one) => archivedKeys(one).slice(0, 2))',
  }),
  plant('a courier that did not answer counts as told', ['worker/queue/sweep-deliveries.ts', 53], {
    find: "    log('error', 'sweep could not wake a courier', { videoId, ...describeError(error) })\n    return false",
    replace:
      "    log('error', 'sweep could not wake a courier', { videoId, ...describeError(error) })\n    return true",
  }),
  plant(
    'an upload that a bucket has forgotten is not begun once more',
    ['worker/service/storages/send-object.ts', 1],
    {
      find: '  if (isLost) sending.save(undefined)\n',
      replace: '  void isLost\n',
    },
  ),
  plant(
    'the quicker of two deletions at once leaves the source',
    ['worker/store/videos/retention.ts', 66],
    {
      find: 'exists(ifOne(and(eq(videos.id, videoId), isAlone)))',
      replace:
        'sql`${tombstones.createdAt} = ${now}`, exists(ifOne(and(eq(videos.id, videoId), isAlone)))',
    },
  ),
  plant('the walk over orphans leaves out its last page', ['worker/queue/sweep-orphans.ts', 1], {
    find: '    await removeOrphans(env, listed.objects, now)\n',
    replace: '    if (listed.truncated) await removeOrphans(env, listed.objects, now)\n',
  }),
  plant('an object that is young is taken for an orphan', ['worker/queue/sweep-orphans.ts', 1], {
    find: '({ uploaded }) => uploaded.getTime() < now - dayMs',
    replace: '({ uploaded }) => uploaded.getTime() < now',
  }),
  plant(
    'what continues an upload is counted with all other requests',
    ['worker/durable/key-gate.ts', 8],
    {
      find: 'return `uses:${lane}`',
      replace: 'return `uses:${lane.slice(0, 0)}`',
    },
  ),
]
