import { describe, expect, it } from 'vitest'
import { AppError } from '../../../worker/contract/answers/errors.ts'
import { uploadLimits } from '../../../worker/contract/limits.ts'
import {
  awaitMemory,
  memoryOf,
  UploadMemory,
  type Hold,
} from '../../../worker/upload/upload-memory.ts'

const mebibyte = 1024 * 1024
const largest = memoryOf(undefined)
const want = (accountId: string, bytes = largest, until = 60_000) => ({ accountId, bytes, until })

function fill(memory: UploadMemory, accountId: string): Hold[] {
  const holds: Hold[] = []
  for (let next = memory.take(want(accountId), 0); next; next = memory.take(want(accountId), 0))
    holds.push(next)
  return holds
}

it('memoryOf is the memory of the buffers for a body of this length', () => {
  expect(memoryOf(10_000)).toBe(2 * 64 * 1024)
  expect(memoryOf(300_000)).toBe(2 * 512 * 1024)
  expect(memoryOf(3 * mebibyte)).toBe(8 * mebibyte)
  expect(memoryOf(4.5 * mebibyte)).toBeLessThan(11 * mebibyte)
  expect(memoryOf(2_000 * mebibyte)).toBe(largest)
  expect(largest).toBeLessThan(16 * mebibyte)
})

describe('UploadMemory', () => {
  it('gives out the memory there is and no more, and gives out again what was released', () => {
    const memory = new UploadMemory(uploadLimits.memoryBytes)
    const holds = fill(memory, 'a')
    expect(holds).toHaveLength(4)
    const others = fill(memory, 'b')
    expect(others).toHaveLength(1)
    expect(memory.take(want('c'), 0)).toBeUndefined()
    holds[0]?.release()
    expect(memory.take(want('d'), 0)).toBeUndefined()
  })

  it('keeps room for one upload of an account that has none, however many another has', () => {
    const memory = new UploadMemory(uploadLimits.memoryBytes)
    fill(memory, 'greedy')
    expect(memory.take(want('greedy', 6 * mebibyte), 0)).toBeUndefined()
    expect(memory.take(want('other'), 0)).toBeDefined()
  })

  it('serves waiting requests in order: small ones do not pass a large one for ever', () => {
    const memory = new UploadMemory(2 * largest)
    const first = memory.take(want('a'), 0)
    const second = memory.take(want('b'), 0)
    const large = want('c')
    expect(memory.take(large, 0)).toBeUndefined()
    first?.release()
    expect(memory.take(want('d', 1_000), 0)).toBeUndefined()
    expect(memory.take(large, 0)).toBeDefined()
    second?.release()
    expect(memory.take(want('e', 1_000), 0)).toBeUndefined()
  })

  it('takes back the memory of a request that died, and forgets one that waited', () => {
    const memory = new UploadMemory(largest)
    const dead = memory.take(want('a'), 0)
    expect(memory.take(want('b', largest, 10_000), 0)).toBeUndefined()
    dead?.keep(200_000)
    expect(memory.take(want('c', largest, 500_000), 400_000)).toBeUndefined()
    expect(memory.take(want('d', largest, 900_000), 600_000)).toBeDefined()
  })
})

it('awaitMemory waits for its turn, and says when to try again if that takes too long', async () => {
  const memory = new UploadMemory(largest)
  const hold = await awaitMemory(memory, { accountId: 'a', bytes: largest }, 0)
  const refused = await awaitMemory(memory, { accountId: 'b', bytes: largest }, 0).catch(
    (error: unknown) => error,
  )
  expect(refused).toBeInstanceOf(AppError)
  expect(refused).toMatchObject({ code: 'ServiceUnavailable', retryAfterSeconds: 5 })
  const waiting = awaitMemory(memory, { accountId: 'c', bytes: largest }, 60_000)
  hold.release()
  await expect(waiting).resolves.toBeDefined()
})
