import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobPlace } from '../../../containers/job/job-context.ts'
import type { Rooms } from '../../../containers/slots/share-slots.ts'
import { SlotQueue } from '../../../containers/slots/slot-queue.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function aQueue(rooms: Partial<Rooms> = {}) {
  const queue = new SlotQueue({ slots: 1, fetching: 8, ...rooms })
  return {
    queue,
    /** An accepted job, and the places that it was told. */
    enter: (account: string) => {
      const request = queue.enter(account)
      if (!request) throw new Error(`No room for a job of ${account}`)
      const places: JobPlace[] = []
      request.onPlace = (place) => places.push(place)
      return { places, take: () => request.take(), leave: () => request.leave() }
    },
  }
}

const untilSlow = () => vi.advanceTimersByTime(2_000)

it('a job whose sources come quickly keeps one slot from beginning to end', () => {
  const { queue, enter } = aQueue()
  const quick = enter('a')
  vi.advanceTimersByTime(1_999)
  expect(queue.enter('b')).toBeUndefined()
  expect(quick.take()).toBeUndefined()
  untilSlow()
  expect([queue.working, queue.kept, quick.places]).toEqual([1, 0, []])
  quick.leave()
  expect(queue.working).toBe(0)
})

describe('a job that waits for slow sources', () => {
  it('gives its slot to another job, and gets one again as soon as it and a slot are ready', async () => {
    const { queue, enter } = aQueue()
    const slow = enter('a')
    untilSlow()
    expect([queue.working, queue.kept, slow.places]).toEqual([0, 1, ['aside']])
    const other = enter('b')
    expect(other.take()).toBeUndefined()
    const turn = slow.take()
    expect(slow.places).toEqual(['aside'])
    other.leave()
    await turn
    expect([queue.working, queue.kept, slow.places]).toEqual([1, 0, ['aside', 'slot']])
  })

  it('does not wait if its slot is still free', () => {
    const { enter } = aQueue()
    const slow = enter('a')
    untilSlow()
    expect(slow.take()).toBeUndefined()
    expect(slow.places).toEqual(['aside', 'slot'])
  })

  it('keeps its slot while there is no room to wait without one, and gives it up once there is', () => {
    const { queue, enter } = aQueue({ fetching: 1 })
    const first = enter('a')
    untilSlow()
    const second = enter('b')
    untilSlow()
    expect([queue.working, queue.kept, second.places]).toEqual([1, 1, []])
    first.leave()
    expect([queue.working, queue.kept, second.places]).toEqual([0, 1, ['aside']])
  })

  it('frees its place when it ends, wherever it is', () => {
    const { queue, enter } = aQueue()
    const aside = enter('a')
    untilSlow()
    const working = enter('b')
    void working.take()
    void aside.take()
    aside.leave()
    working.leave()
    expect([queue.working, queue.kept]).toEqual([0, 0])
  })

  it('is not moved if waiting without a slot is not possible at all', () => {
    const { queue, enter } = aQueue({ fetching: 0 })
    const slow = enter('a')
    untilSlow()
    expect([queue.working, slow.places]).toEqual([1, []])
    slow.leave()
    expect(queue.enter('a')).toBeDefined()
  })
})

describe('an account with fifty slow sources', () => {
  it('gets half of the room for them, and leaves the slot to others', () => {
    const { queue, enter } = aQueue()
    for (let i = 0; i < 4; i++) {
      enter('a')
      untilSlow()
    }
    expect(queue.enter('a')).toBeUndefined()
    expect([queue.working, queue.kept]).toEqual([0, 4])
    for (let i = 0; i < 10; i++) {
      const other = enter('b')
      expect(other.take()).toBeUndefined()
      other.leave()
    }
  })

  it('does not exclude an account without jobs when many accounts fill the room', () => {
    const { queue, enter } = aQueue({ fetching: 2 })
    for (const account of ['a', 'b']) {
      enter(account)
      untilSlow()
    }
    expect(queue.enter('a')).toBeUndefined()
    expect(enter('c').take()).toBeUndefined()
  })
})

describe('a slot that falls free', () => {
  /** Three jobs of one account that are ready, while a fourth works. */
  function aBusyAccount() {
    const queue = aQueue()
    const slow = [1, 2, 3].map(() => {
      const job = queue.enter('a')
      untilSlow()
      return job
    })
    const working = queue.enter('a')
    void working.take()
    const turns = slow.map((job) => job.take())
    return { ...queue, slow, working, turns }
  }

  it('goes to ready jobs in the order in which they became ready', async () => {
    const { slow, working, turns } = aBusyAccount()
    working.leave()
    await turns[0]
    expect(slow.map(({ places }) => places.at(-1))).toEqual(['slot', 'aside', 'aside'])
    slow[0]?.leave()
    await turns[1]
    expect(slow.map(({ places }) => places.at(-1))).toEqual(['slot', 'slot', 'aside'])
  })

  it('goes to another account before the second job of the same one', async () => {
    const { queue, enter, slow, working, turns } = aBusyAccount()
    const other = enter('b')
    const turn = other.take()
    expect(queue.enter('b')).toBeUndefined()
    working.leave()
    await turn
    expect(slow.map(({ places }) => places.at(-1))).toEqual(['aside', 'aside', 'aside'])
    other.leave()
    await turns[0]
  })
})
