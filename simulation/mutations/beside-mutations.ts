import { plant, type Planted } from './planted.ts'

/** Faults in what happens beside a job: parts of its film, slots that are lent to it, and words of it that are told again. */
export const besideMutations: readonly Planted[] = [
  plant('a lent slot that comes back wakes nobody', ['worker/durable/dispatcher.ts', 30], {
    find: '    this.#lender.giveBack(jobId, slots)\n    await this.#wakeLine()\n',
    replace: '    this.#lender.giveBack(jobId, slots)\n',
  }),
  plant('the sweep removes parts of films that are at work', ['worker/queue/sweep-parts.ts', 30], {
    find: '.filter((key) => !unfinished.has(jobIdOf(key)))',
    replace: '.filter(() => unfinished.size >= 0)',
  }),
  plant(
    'a redelivery brings back the words of a deleted video',
    ['worker/store/webhooks/delivery-changes.ts', 8],
    {
      find: '.where(and(eq(events.id, eventId), exists(video)))',
      replace: '.where(and(eq(events.id, eventId), sql`${exists(video)} is not null`))',
    },
  ),
  plant('a job starts whose video is at work', ['worker/store/videos/transitions.ts', 7004], {
    find: ', isNull(jobs.finishedAt), isQueued)',
    replace: ', isNull(jobs.finishedAt))',
  }),
  plant('an upload that was dropped is ready', ['worker/store/objects/uploads.ts', 7003], {
    find: "and(eq(uploads.id, uploadId), eq(uploads.status, 'open'))",
    replace: 'eq(uploads.id, uploadId)',
  }),
]
