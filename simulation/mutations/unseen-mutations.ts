import { plant, type Planted } from './planted.ts'

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
]
