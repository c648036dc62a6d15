import { plant, type Planted } from './planted.ts'

/** Faults that no seed showed until the world got the circumstance, or the promise, that shows each. */
export const unseenMutations: readonly Planted[] = [
  plant(
    'who guesses keys behind a proxy is whom they say they are',
    ['worker/contract/addresses/client-address.ts', 405],
    { find: 'const before = hops.pop()', replace: 'const before = hops.shift()' },
  ),
  plant(
    'everybody is believed who says for whom they ask',
    ['worker/contract/addresses/client-address.ts', 405],
    {
      find: 'while (nearest && isTrusted(nearest, proxies)) {',
      replace: 'while (nearest) {',
    },
  ),
  plant(
    'a guesser gets another address with each of a network',
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
]
