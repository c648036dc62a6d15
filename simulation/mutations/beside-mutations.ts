import type { Planted } from './planted.ts'

/** Faults in what happens beside a job: parts of its film, slots that are lent to it, and words of it that are told again. */
export const besideMutations: readonly Planted[] = [
  {
    name: 'a lent slot that comes back wakes nobody',
    seed: 30,
    file: 'worker/durable/dispatcher.ts',
    find: '    this.#lender.giveBack(jobId, slots)\n    await this.#wakeLine()\n',
    replace: '    this.#lender.giveBack(jobId, slots)\n',
  },
  {
    name: 'the sweep removes parts of films that are at work',
    seed: 30,
    file: 'worker/queue/sweep-parts.ts',
    find: '.filter((key) => !unfinished.has(jobIdOf(key)))',
    replace: '.filter(() => unfinished.size >= 0)',
  },
  {
    name: 'a redelivery brings back the words of a deleted video',
    seed: 8,
    file: 'worker/store/webhooks/delivery-changes.ts',
    find: '.where(and(eq(events.id, eventId), exists(video)))',
    replace: '.where(and(eq(events.id, eventId), sql`${exists(video)} is not null`))',
  },
  {
    name: 'a job starts whose video is at work',
    seed: 7004,
    file: 'worker/store/videos/transitions.ts',
    find: ', isNull(jobs.finishedAt), isQueued)',
    replace: ', isNull(jobs.finishedAt))',
  },
  {
    name: 'an upload that was dropped is ready',
    seed: 7003,
    file: 'worker/store/objects/uploads.ts',
    find: "and(eq(uploads.id, uploadId), eq(uploads.status, 'open'))",
    replace: 'eq(uploads.id, uploadId)',
  },
]
