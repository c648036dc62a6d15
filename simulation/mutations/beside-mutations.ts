import { plant, type Planted } from './planted.ts'

/**
 * Faults in what happens beside a job: parts of its film, slots that are lent to it, words of it that are told again, and its way to
 * buckets of customers.
 */
export const besideMutations: readonly Planted[] = [
  plant('the sweep removes parts of films that are at work', ['worker/queue/sweep-parts.ts', 30], {
    find: '.filter((key) => !unfinished.has(jobIdOf(key)))',
    replace: '.filter(() => unfinished.size >= 0)',
  }),
  plant(
    'a redelivery brings back the words of a deleted video',
    ['worker/store/webhooks/delivery-changes.ts', 12],
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
  plant('the first of several files makes a delivery', ['worker/durable/delivery-round.ts', 1], {
    find: 'if (isLast) await this.#change',
    replace: 'if (isLast || file >= 0) await this.#change',
  }),
  plant('a bucket that forgets uploads is asked for ever', ['worker/durable/delivery-book.ts', 1], {
    find: 'tries = iif(?2 > most_parts, 0, tries)',
    replace: 'tries = 0',
  }),
  plant(
    'a file that a bucket has torn counts as delivered',
    ['worker/service/storages/send-object.ts', 4],
    {
      find: "if (answer.headers.get('Content-Length') !== String(sending.source.sizeBytes)) {",
      replace: "if (answer.headers.get('Content-Length') === 'x') {",
    },
  ),
  plant('one job borrows all slots', ['worker/service/line/lending.ts', 13], {
    find: 'Math.ceil(all / 2) - own',
    replace: 'all - own',
  }),
  plant('a part that is at work does not keep its lease', ['worker/durable/job/film-parts.ts', 7], {
    find: 'ledger.save({ ...part, pictures, bytes, leaseUntil: this.leaseEnd() })',
    replace: 'ledger.save({ ...part, pictures, bytes })',
  }),
  plant(
    'words that were told are not kept for who was told them',
    ['worker/durable/job/answer-words.ts', 1],
    {
      find: '  await keepWords(env, keeper, { ...found, expiresAt })\n',
      replace: '  void expiresAt\n',
    },
  ),
]
