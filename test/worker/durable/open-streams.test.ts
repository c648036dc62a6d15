import { expect, it } from 'vitest'
import { mayFollow, mostStreams, takeStreamPlace } from '../../../worker/durable/open-streams.ts'

it('keeps no place for streams whose object has died and says nothing more', () => {
  const [places, now] = [[...Array(mostStreams).keys()], 1_000_000]
  const taken = places.map(() => takeStreamPlace('a_1', now))
  expect(takeStreamPlace('a_1', now + 60_000)).toBeUndefined()
  taken[0]?.stay(now + 50_000)
  expect(mayFollow('a_1', now + 60_001)).toBe(true)
  const more = places.map(() => takeStreamPlace('a_1', now + 60_001))
  expect(more.filter((place) => place === undefined)).toHaveLength(1)
})
