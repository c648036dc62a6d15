import type { Planted } from './planted.ts'

const transitions = 'worker/store/videos/transitions.ts'
const memory = 'worker/durable/job/job-memory.ts'
const lender = 'worker/durable/part-lender.ts'
const budgets = 'worker/store/budgets.ts'
const disk = 'worker/service/limits/disk-room.ts'

/** Faults in what is given out and given back: slots, attempts, budgets, and room on a disk. */
export const slotMutations: readonly Planted[] = [
  {
    name: 'a canceled job frees its slot early',
    seed: 4000,
    file: 'worker/durable/job/job-end.ts',
    find: "const freesSlot = ending.to !== 'canceled'",
    replace: 'const freesSlot = true',
  },
  {
    name: 'a lent slot does not come back',
    seed: 4002,
    file: lender,
    find: 'this.#free(this.#lending.giveBack(jobId, slots))',
    replace: 'void [jobId, slots]',
  },
  {
    name: 'no slot is ever lent',
    seed: 4002,
    file: lender,
    find: '      if (this.#roomFor(borrower) < 1) return false\n',
    replace: '      if (this.#roomFor(borrower) < 1000) return false\n',
  },
  {
    name: 'an attempt that was handed back counts',
    seed: 4000,
    file: 'worker/durable/job/held-job.ts',
    find: 'const attempts = running.attempt - 1',
    replace: 'const attempts = running.attempt',
  },
  {
    name: 'an attempt that kept something new counts',
    seed: 9,
    file: memory,
    find: 'if (isNew) this.#storage.kv.put(furtherKey, attempt)',
    replace: 'void [isNew, attempt]',
  },
  {
    name: 'attempts that keep nothing do not count',
    seed: 1,
    file: memory,
    find: 'kv.get<number>(furtherKey) ?? 0',
    replace: 'kv.get<number>(furtherKey) ?? attempts',
  },
  {
    name: 'messages of before an attempt stay good',
    seed: 4000,
    file: transitions,
    find: 'chain: sql`${jobs.chain} + 1`',
    replace: 'chain: sql`${jobs.chain}`',
  },
  {
    name: 'a slot that has fallen free is not counted',
    seed: 4000,
    file: 'worker/service/line/room.ts',
    find: '    this.#vain = 0\n    if (this.#isFull) this.#free++\n',
    replace: '    this.#vain = 0\n',
  },
  {
    name: 'the attempt of a webhook is logged twice',
    seed: 4002,
    file: 'worker/store/webhooks/delivery-changes.ts',
    find: 'lt(deliveries.attemptCount, number)',
    replace: 'sql`${deliveries.attemptCount} <= ${number}`',
  },
  {
    name: 'the owners of an account are told of its budget again and again',
    seed: 4004,
    file: budgets,
    find: "AND coalesce(budget_told, '') < ?1 || ' ' || ?2",
    replace: "AND ?2 > ''",
  },
  {
    name: 'the owners of an account are told of its budget too late',
    seed: 4004,
    file: budgets,
    find: 'percent / 100)',
    replace: 'percent / 10)',
  },
  {
    name: 'a file that has come keeps its room on the disk',
    seed: 4004,
    file: disk,
    find: '    this.#add(-this.#bytes)\n',
    replace: '',
  },
  {
    name: 'the progress of a video that has ended is written',
    seed: 4002,
    file: transitions,
    find: ".where(and(eq(videos.id, claim.videoId), eq(videos.status, 'running'), atFence(db, claim)))",
    replace: '.where(and(eq(videos.id, claim.videoId), atFence(db, claim)))',
  },
  {
    name: 'words are kept for a video that is not at work',
    seed: 4012,
    file: 'worker/store/kept-words.ts',
    find: '.select(sql`${row} where ${isRunning}`)',
    replace: '.select(sql`${row} where true`)',
  },
  {
    name: 'a job that has ended still counts for the cap of its account',
    seed: 4009,
    file: 'worker/service/line/line.ts',
    find: '      this.#held.delete(jobId)\n      this.#account(held.accountId).held--\n',
    replace: '      this.#held.delete(jobId)\n',
  },
  {
    name: 'an older plan takes the place of a newer one',
    seed: 2,
    file: 'worker/service/line/line.ts',
    find: '    if (known && known.version > plan.version) return known\n',
    replace: '',
  },
]
