import { plant, type Planted } from './planted.ts'

const transitions = 'worker/store/videos/transitions.ts'
const memory = 'worker/durable/job/job-memory.ts'
const lender = 'worker/durable/part-lender.ts'
const budgets = 'worker/store/budgets.ts'
const disk = 'worker/service/limits/disk-room.ts'

/** Faults in what is given out and given back: slots, attempts, budgets, and room on a disk. */
export const slotMutations: readonly Planted[] = [
  plant('a canceled job frees its slot early', ['worker/durable/job/job-end.ts', 4000], {
    find: "const freesSlot = ending.to !== 'canceled'",
    replace: 'const freesSlot = true',
  }),
  plant('a lent slot does not come back', [lender, 4007], {
    find: 'this.#free(this.#lending.giveBack(jobId, slots))',
    replace: 'void [jobId, slots]',
  }),
  plant('no slot is ever lent', [lender, 7], {
    find: '      if (this.#roomFor(borrower) < 1) return false\n',
    replace: '      if (this.#roomFor(borrower) < 1000) return false\n',
  }),
  plant('an attempt that was handed back counts', ['worker/durable/job/held-job.ts', 4000], {
    find: 'const attempts = running.attempt - 1',
    replace: 'const attempts = running.attempt',
  }),
  plant('an attempt that kept something new counts', [memory, 9], {
    find: 'if (isNew) this.#storage.kv.put(furtherKey, attempt)',
    replace: 'void [isNew, attempt]',
  }),
  plant('attempts that keep nothing do not count', [memory, 1], {
    find: 'kv.get<number>(furtherKey) ?? 0',
    replace: 'kv.get<number>(furtherKey) ?? attempts',
  }),
  plant('messages of before an attempt stay good', [transitions, 4000], {
    find: 'chain: sql`${jobs.chain} + 1`',
    replace: 'chain: sql`${jobs.chain}`',
  }),
  plant('a slot that has fallen free is not counted', ['worker/service/line/room.ts', 4000], {
    find: '    this.#endPauses()\n    if (this.#isFull) this.#free++\n',
    replace: '    this.#endPauses()\n',
  }),
  plant(
    'the attempt of a webhook is logged twice',
    ['worker/store/webhooks/delivery-changes.ts', 4002],
    {
      find: 'lt(deliveries.attemptCount, number)',
      replace: 'sql`${deliveries.attemptCount} <= ${number}`',
    },
  ),
  plant('the owners of an account are told of its budget again and again', [budgets, 4004], {
    find: "AND coalesce(budget_told, '') < ?1 || ' ' || ?2",
    replace: "AND ?2 > ''",
  }),
  plant('the owners of an account are told of its budget too late', [budgets, 4004], {
    find: 'percent / 100)',
    replace: 'percent / 10)',
  }),
  plant('a file that has come keeps its room on the disk', [disk, 4004], {
    find: '    this.#add(-this.#bytes)\n',
  }),
  plant('the progress of a video that has ended is written', [transitions, 4008], {
    find: ".where(and(eq(videos.id, claim.videoId), eq(videos.status, 'running'), atFence(db, claim)))",
    replace: '.where(and(eq(videos.id, claim.videoId), atFence(db, claim)))',
  }),
  plant('words are kept for a video that is not at work', ['worker/store/kept-words.ts', 4012], {
    find: '.select(sql`${row} where ${isRunning}`)',
    replace: '.select(sql`${row} where true`)',
  }),
  plant(
    'a job that has ended still counts for the cap of its account',
    ['worker/service/line/line.ts', 4009],
    {
      find: '      this.#held.delete(jobId)\n      this.#account(held.accountId).held--\n',
      replace: '      this.#held.delete(jobId)\n',
    },
  ),
  plant('an older plan takes the place of a newer one', ['worker/service/line/line.ts', 8], {
    find: '    if (known && known.version > plan.version) return known\n',
  }),
  plant('an offer carries a claim of before', ['worker/durable/job/unheld-job.ts', 1], {
    find: 'let fence = Math.max(known?.fence ?? 0, found.job.fence)',
    replace: 'let fence = found.job.fence',
  }),
  plant(
    'a job that one media worker refuses counts as refused',
    ['worker/durable/job/unheld-job.ts', 8],
    {
      find: "spoke.every((answer) => answer === 'refused')",
      replace: "spoke.some((answer) => answer === 'refused')",
    },
  ),
  plant('a job that is refused lets nobody pass', ['worker/durable/dispatcher.ts', 8], {
    find: "      case 'refused':\n        this.#line.putBack(jobId, { now, passed: true })",
    replace: "      case 'refused':\n        this.#line.putBack(jobId, { now })",
  }),
  plant(
    'a container with an older image stays',
    ['worker/durable/media-workers/own-container.ts', 31],
    {
      find: "      if (answer === 'refused') await this.release()\n",
    },
  ),
  plant('a canceled job stays in the line', ['worker/durable/job/cancel-job.ts', 2], {
    find: 'this.#end.free(jobId, false),',
    replace: 'Promise.resolve(),',
  }),
  plant('an offer that comes twice begins twice', ['containers/slots/job-slots.ts', 3], {
    find: "    if (same.some((running) => isSame(running.job, job))) return 'accepted'\n",
  }),
  plant('a job is not stopped when its time is over', ['worker/durable/job/held-job.ts', 2], {
    find: "        if (await this.#stopOverdue(state, running)) return 'stop'\n",
  }),
  plant(
    'a job that has waited too long is left to the sweep',
    ['worker/durable/dispatcher.ts', 2],
    {
      find: '    for (const late of this.#line.overdue(now, overdueAtOnce)) this.#call(late)\n',
    },
  ),
  plant(
    'a job of which nobody heard that it has ended counts for a cap for ever',
    ['worker/durable/dispatcher.ts', 2_000_013],
    {
      find: '    if (!this.#isWhole || accounts.some((account) => this.#misses(account))) await this.#readAll()\n',
    },
  ),
  plant('a cancel waits for an offer', ['worker/durable/job/job-runner.ts', 3101], {
    find: '    this.#interruption.abort()\n',
  }),
]

/** Those that show when one thing goes wrong alone. */
export const lonelyMutations: readonly Planted[] = [
  plant(
    'a film tells nobody which slots it has while its clock is back',
    ['worker/durable/job/film-parts.ts', 17],
    {
      find: 'Math.abs(now - this.#keptAt) < keepMs',
      replace: 'now - this.#keptAt < keepMs',
    },
  ),
  plant(
    'a part goes on although its container has stopped',
    ['worker/durable/job/film-parts.ts', 11],
    {
      find: '    if (!this.hasSlot(fence, slot)) return\n    for',
      replace: '    if (fence > 0) return\n    for',
    },
  ),
  plant(
    'the container of an attempt that has failed stays',
    ['worker/durable/job/held-job.ts', 10],
    {
      find: '    await carrier.release()\n    await tellDispatcher',
      replace: '    void carrier\n    await tellDispatcher',
    },
  ),
  plant(
    'nobody hears that a job has gone back to the line',
    ['worker/durable/job/held-job.ts', 23],
    {
      find: '    await tellDispatcher(env, async (slots) => slots.left(state.jobId, true))\n',
    },
  ),
  plant(
    'the slots of a film are kept until its end',
    ['worker/durable/job/film-parts.ts', 2_000_400],
    {
      find: '    for (const slot of ledger.idleSince(now - idleMs)) this.giveBackSlot(slot)\n',
    },
  ),
  plant(
    'nobody hears which slots a film still has',
    ['worker/durable/job/film-parts.ts', 2_000_400],
    {
      find: '    this.#context.inBackground(keep)\n',
      replace: '    void keep\n',
    },
  ),
  plant(
    'a slot is told of as lent while it is given back',
    ['worker/durable/job/film-parts.ts', 2_000_521],
    {
      find: '.filter((slot) => !this.#closing.has(slot))',
    },
  ),
  plant(
    'the container of a part runs on when its job has given it back',
    ['worker/durable/job/part-slot.ts', 2_000_560],
    {
      find: '    if (!(await this.#leadOf(jobId).hasSlot(fence, slot))) {\n      await this.release()\n      return\n    }\n',
      replace: '    void [jobId, fence, slot]\n',
    },
  ),
  plant(
    'a container that never answers stays',
    ['worker/durable/media-workers/own-container.ts', 2_000_560],
    {
      find: '    if (Date.now() - this.#startedAt > hopelessMs) await this.release()\n',
    },
  ),
  plant(
    'an attempt is lost while the database or the bucket fails',
    ['worker/durable/job/held-job.ts', 34],
    {
      find: '        memory.save({ ...now, running: this.#renewed(now.running) })\n',
      replace: '        void memory\n',
    },
  ),
  plant('nobody sees that a container has stopped', ['worker/durable/job/job-runner.ts', 57], {
    find: '      if (state?.running) await this.#held.judgeLease(state, state.running)\n    })\n    // The failure',
    replace: '      void state\n    })\n    // The failure',
  }),
  plant('how fast work was is not remembered', ['worker/durable/dispatcher.ts', 2_000_400], {
    find: '      this.#past.note(worked)\n',
  }),
  plant('a container that starts slowly is not asked again', ['worker/durable/dispatcher.ts', 11], {
    find: '    await this.env.JOBS.send(message, { delaySeconds: slowStartSeconds })\n',
    replace: '    void message\n',
  }),
  plant(
    'a job that has not heard its call gets no message',
    ['worker/durable/dispatcher.ts', 2_000_458],
    {
      find: "        await this.env.JOBS.send({ kind: 'dispatch', jobId, chain })\n",
      replace: '        void chain\n',
    },
  ),
]
