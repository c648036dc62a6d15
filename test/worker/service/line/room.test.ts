import { describe, expect, it } from 'vitest'
import { Room } from '../../../../worker/service/line/room.ts'

const pauses = { firstMs: 100, longestMs: 10_000 }

/** How many jobs in a row are admitted, of which none has answered. */
function admitted(room: Room): number {
  let count = 0
  while (count < 100 && room.admit(count)) count++
  return count
}

describe('the room', () => {
  it('lets a few jobs try while nobody knows how many slots there are, and two more for each that finds one', () => {
    const room = new Room(pauses)
    expect(admitted(room)).toBe(4)
    room.started()
    room.started()
    expect(admitted(room)).toBe(8)
  })

  it('is full once a job finds no slot, until one falls free', () => {
    const room = new Room(pauses)
    room.foundNone(0)
    expect(admitted(room)).toBe(0)
    room.freed()
    room.freed()
    expect(admitted(room)).toBe(2)
    expect(room.isFull).toBe(true)
  })

  it('gives a slot to another job if the first one had no use for it', () => {
    const room = new Room(pauses)
    room.foundNone(0)
    room.freed()
    expect(admitted(room)).toBe(1)
    room.returnPlace()
    expect(admitted(room)).toBe(1)
  })

  it('looks again after a pause that doubles while nothing is found', () => {
    const room = new Room(pauses)
    let now = 0
    const waits = Array.from({ length: 9 }, () => {
      room.foundNone(now)
      const before = now
      now = room.lookAt ?? now
      return now - before
    })
    expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
    room.freed()
    room.foundNone(now)
    expect(room.lookAt).toBe(now + 100)
  })

  it('doubles its pause once for all that found nothing at one moment', () => {
    const room = new Room(pauses)
    for (const now of [0, 0, 30, 60]) room.foundNone(now)
    expect(room.lookAt).toBe(100)
    for (const now of [100, 101, 150]) room.foundNone(now)
    expect(room.lookAt).toBe(300)
  })

  it('begins a pause once more if the clock was put back in it', () => {
    const room = new Room(pauses)
    room.foundNone(1_000_000)
    room.foundNone(0)
    expect(room.lookAt).toBe(200)
  })

  it('gives away as many slots as a look has found', () => {
    const room = new Room(pauses)
    room.foundNone(0)
    room.found(3, 50)
    expect(admitted(room)).toBe(3)
    room.found(0, 60)
    expect(admitted(room)).toBe(0)
  })

  it('fills all slots after one try has found one, where nobody can be asked', () => {
    const room = new Room(pauses)
    room.foundNone(0)
    room.tryOne(0)
    expect(admitted(room)).toBe(1)
    room.started()
    expect(admitted(room)).toBe(2)
    room.foundNone(0)
    room.freed()
    expect(admitted(room)).toBe(1)
    room.started()
    expect(admitted(room)).toBe(0)
  })
})
