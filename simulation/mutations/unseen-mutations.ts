import { plant, type Planted } from './planted.ts'

const sending = 'worker/service/storages/send-object.ts'
const sweeping = 'worker/queue/sweep-jobs.ts'
const retention = 'worker/store/videos/retention.ts'

/** Faults that no seed showed until the world got the circumstance, or the promise, that shows each. */
export const unseenMutations: readonly Planted[] = [
  plant(
    'behind a proxy, the address that a client claims is believed',
    ['worker/contract/addresses/client-address.ts', 405],
    { find: 'const before = hops.pop()', replace: 'const before = hops.shift()' },
  ),
  plant(
    'the address that anybody claims is believed',
    ['worker/contract/addresses/client-address.ts', 405],
    {
      find: 'while (nearest && isTrusted(nearest, proxies)) {',
      replace: 'while (nearest) {',
    },
  ),
  plant(
    'each address of a network counts as another client',
    ['worker/contract/addresses/client-address.ts', 405],
    {
      find: "return `${[a, b, c, d].map((part) => part.toString(16)).join(':')}::/64`",
      replace: 'return ip',
    },
  ),
  plant(
    'a sweep that has read an older row replaces the record of another',
    ['worker/queue/sweep-archive.ts', 703],
    {
      find: "  if (now?.video['updated_at'] !== stored.video['updated_at'])\n    throw",
      replace: '  if (!now)\n    throw',
    },
  ),
  plant(
    'a video comes back that was deleted from the archive',
    ['worker/command/delete-video.ts', 384],
    { find: '  await bury(env.DB, archivedRecordKey(accountId, videoId), now)\n' },
  ),
  plant(
    'a job of which a cancel has failed is offered to nobody',
    ['worker/durable/job/job-runner.ts', 408],
    { find: '    this.#interrupters++\n' },
  ),
  plant('a lent slot is lent for no time', ['worker/service/line/lending.ts', 378], {
    find: 'until: now + silentMs }',
    replace: 'until: Infinity }',
  }),
  plant(
    'a lifted cap is noticed only when the alarm rings',
    ['worker/durable/dispatcher.ts', 306],
    {
      find: '    if (plan.maxRunning !== null) this.#isWhole = false\n    await this.#wakeLine()\n',
      replace: '    if (plan.maxRunning !== null) this.#isWhole = false\n',
    },
  ),
  plant('a file that was spoiled on its way is taken for delivered', [sending, 8017], {
    find: "  if (etag !== undefined && bare(found ?? '') !== bare(etag)) {",
    replace: "  if (etag === '' && bare(found ?? '') !== bare(etag)) {",
  }),
  plant('a file that goes whole is not compared with what has arrived', [sending, 8017], {
    find: "return prove(sending, answer.headers.get('ETag') ?? undefined)",
    replace: 'return prove(sending, undefined)',
  }),
  plant('a file that goes in parts is not compared with what has arrived', [sending, 8017], {
    find: "return prove(sending, elementOf(answer.body, 'ETag'))",
    replace: 'return prove(sending, undefined)',
  }),
  plant(
    'a webhook is tried up to an hour before it is due',
    ['worker/durable/webhook-endpoint.ts', 8017],
    {
      find: 'found.dueAt !== null && found.dueAt > now)',
      replace: 'found.dueAt !== null && found.dueAt > now + 3_600_000)',
    },
  ),
  plant('a job that is overdue waits for its silent object', [sweeping, 8004], {
    find: 'for (const { jobId } of overdue.slice(0, endedPerTick)) await endIfOverdue(env, jobId, now)',
    replace: 'void [endIfOverdue, endedPerTick]',
  }),
  plant('a silent object is not told that its job has ended', [sweeping, 8004], {
    find: '    await env.JOBS.send(message, { delaySeconds: answersAgainSeconds })\n',
    replace: '    void [message, answersAgainSeconds]\n',
  }),
  plant('a silent object is told at once that its job has ended', [sweeping, 8004], {
    find: 'env.JOBS.send(message, { delaySeconds: answersAgainSeconds })',
    replace: 'env.JOBS.send(message)',
  }),
  plant(
    'a lease whose alarm is given up lasts for ever',
    ['worker/durable/job/job-runner.ts', 8004],
    {
      find: '      await this.#judgeLateLease()\n',
    },
  ),
  plant(
    'the order in which notes are written makes another request',
    ['worker/service/idempotency.ts', 8017],
    { find: '    .sort(([a], [b]) => (a < b ? -1 : 1))\n' },
  ),
  plant(
    'a client gets another part than the one that it names',
    ['worker/upload/complete-upload.ts', 8017],
    {
      find: 'return stored.filter(({ partNumber, etag }) => wanted.get(partNumber) === etag)',
      replace: 'return stored.filter(({ partNumber }) => wanted.has(partNumber))',
    },
  ),
  plant('files of which each row says that the other has them stay', [retention, 8024], {
    find: '(other.files_expire_at is null or other.files_expire_at > ${now}))`',
    replace: '(other.files_expire_at is null or ${now} >= 0))`',
  }),
  plant('a file goes with one video while another that waits is made of it', [retention, 8017], {
    find: '(other.source_expires_at is null or other.source_expires_at > ${now}))',
    replace: '(other.source_expires_at > ${now}))',
  }),
  plant(
    'a budget is said to begin again a month later',
    ['worker/service/limits/budget.ts', 8060],
    { find: 'at.getUTCMonth() + 1, 1)', replace: 'at.getUTCMonth() + 2, 1)' },
  ),
  plant('a second cancel of a batch moves its time', ['worker/store/videos/batches.ts', 8026], {
    find: 'sql`coalesce(${batches.canceledAt}, ${now})`',
    replace: 'sql`coalesce(${now}, ${batches.canceledAt})`',
  }),
  plant(
    'a gate that counts ahead forgets what it has not written',
    ['worker/durable/key-gate.ts', 8024],
    {
      find: 'if (isCounted(uses, this.#stored.get(lane) ?? [])) return',
      replace: 'if (this.#stored.has(lane)) return',
    },
  ),
  plant('who signs up with an invitation is an owner', ['worker/store/people/people.ts', 8024], {
    find: '(select role from invitations where token_hash = ?2)',
    replace: "coalesce('owner', (select role from invitations where token_hash = ?2))",
  }),
]
