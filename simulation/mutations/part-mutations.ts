import { plant, type Planted } from './planted.ts'

const film = 'worker/durable/job/film-parts.ts'
const grants = 'worker/durable/job/grant-upload.ts'
const giving = 'worker/durable/job/give-part.ts'
const ledger = 'worker/durable/job/part-ledger.ts'
const partJob = 'worker/service/jobs/build-part-job.ts'
const transitions = 'worker/store/videos/transitions.ts'

/** Faults in what media workers make for each other. */
export const partMutations: readonly Planted[] = [
  plant('who asks where to store a file of another size is told of two', [grants, 3_200_001], {
    find: '  if (known) await abortUpload(bucket, known).catch(() => undefined)\n',
  }),
  plant('a file of another size goes where the first was to go', [grants, 3_200_001], {
    find: 'if (known?.sizeBytes === sizeBytes) return known',
    replace: 'if (known) return known',
  }),
  plant('a part that asks twice where to store its file begins two', [film, 3_200_001], {
    find: 'beginPartUpload(env.BUCKET, part.upload, wanted)',
    replace: 'beginPartUpload(env.BUCKET, undefined, wanted)',
  }),
  plant('the same request for a part is dealt with twice', [giving, 16], {
    find: 'const giving = this.#giving.get(key) ?? this.#giveOnce(request)',
    replace: 'const giving = this.#giveOnce(request)',
  }),
  plant('a part that somebody has is given once more', [giving, 10], {
    find: "    if (known) return known.state !== 'offered' && known.state !== 'stopped'\n",
  }),
  plant('two parts share a slot', [ledger, 3_200_001], {
    find: 'const taken = new Set([...except, ...this.active().map(({ slot }) => slot)])',
    replace: 'const taken = new Set([...except])',
  }),
  plant('a slot that was given back stays with its film', [film, 3], {
    find: '      ledger.giveUp(slot)\n',
  }),
  plant('the key of one try of a part is good for another', [partJob, 3], {
    find: '`part:${jobId}:${fence}:${n}:${number}`',
    replace: '`part:${jobId}:${fence}:${n}`',
  }),
  plant('the key of a part is good for another attempt', [partJob, 3], {
    find: '`part:${jobId}:${fence}:${n}:${number}`',
    replace: '`part:${jobId}:${n}:${number}`',
  }),
]

/** Faults that show when a statement comes late, the clocks step, or the message of a canceled batch is lost. */
export const lateMutations: readonly Planted[] = [
  plant('an end tells of less than the row has shown', [transitions, 16], {
    find: '.where(and(mayEnd(db, claim, change), lte(videos.progressPercent, change.progressPercent)))',
    replace: '.where(mayEnd(db, claim, change))',
  }),
  plant('an end that was refused is taken for one', ['worker/durable/job/job-end.ts', 13], {
    find: "      throw new Error('the ending was refused')\n",
  }),
  plant('an attempt is noted whose claim does not hold', [transitions, 1], {
    find: '})} where ${atFence(db, claim)}`,',
    replace: '})} where ${claim.fence} > 0`,',
  }),
  plant('a claim is outdated while another one holds the job', [transitions, 1], {
    find: 'db.update(jobs).set({ fence: claim.fence }).where(isNewClaim(db, claim)),',
    replace: 'db.update(jobs).set({ fence: claim.fence }).where(eq(jobs.id, claim.jobId)),',
  }),
  plant(
    'an attempt is lost whose progress is not saved',
    ['worker/durable/job/note-progress.ts', 2],
    {
      find: "    return 'not-shown'\n  }",
      replace: "    return 'moved-on'\n  }",
    },
  ),
  plant('a return to the line is told the message of another attempt', [transitions, 1], {
    find: '        .where(and(eq(jobs.id, claim.jobId), eq(jobs.fence, claim.fence)))\n        .returning({ chain',
    replace: '        .where(eq(jobs.id, claim.jobId))\n        .returning({ chain',
  }),
  plant(
    'a window of a key lasts for as long as a clock was put back',
    ['worker/service/limits/rate-limit.ts', 2],
    {
      find: 'Math.abs(now - use.startedAt) < seconds',
      replace: 'now - use.startedAt < seconds',
    },
  ),
  plant('a key is told of a window that has ended', ['worker/service/limits/rate-limit.ts', 1], {
    find: 'resetAt: (uses[i]?.startedAt ?? 0) + seconds * 1000',
    replace: 'resetAt: uses[i]?.startedAt ?? 0',
  }),
  plant('the sweep does not go on with a batch that is canceled', ['worker/queue/sweep.ts', 10], {
    find: 'for (const { id } of canceled) await attempt(id, async () => cancelSome(env, id))',
    replace: 'void cancelSome',
  }),
  plant('nobody reads the message that goes on with a batch', ['worker/queue/consume.ts', 10], {
    find: '    await cancelSome(env, batchId)\n',
    replace: '    void cancelSome\n',
  }),
  plant(
    'all of a long answer to a webhook is kept',
    ['worker/service/webhooks/send-webhook.ts', 4],
    {
      find: 'keptBytes: loggedAnswerBytes, readBytes',
      replace: 'keptBytes: answerBytes, readBytes',
    },
  ),
]
