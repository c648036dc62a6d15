import { describe, expect, it } from 'vitest'
import { StepTimeout, TurnQueue } from '../../../containers/models/turns.ts'

const forever = new AbortController().signal

describe('TurnQueue', () => {
  it('lets a short recording pass between the steps of a long one', async () => {
    const queue = new TurnQueue()
    const order: string[] = []
    const run = async (name: string, steps: number): Promise<void> => {
      const turns = queue.turnsFor(forever, 1_000)
      for (let step = 0; step < steps; step++) await turns.take(async () => order.push(name))
    }
    await Promise.all([run('long', 3), run('short', 1)])
    expect(order).toEqual(['long', 'short', 'long', 'long'])
  })

  it('gives a canceled recording no further turn, and continues with the others', async () => {
    const queue = new TurnQueue()
    const controller = new AbortController()
    const canceled = queue.turnsFor(controller.signal, 1_000)
    controller.abort(new Error('no longer wanted'))
    await expect(canceled.take(async () => 1)).rejects.toThrow('no longer wanted')
    await expect(queue.turnsFor(forever, 1_000).take(async () => 2)).resolves.toBe(2)
  })

  it('ends a step that is cancelled in the middle', async () => {
    const controller = new AbortController()
    const step = new TurnQueue().turnsFor(controller.signal, 1_000).take(async (checkStop) => {
      controller.abort(new Error('no longer wanted'))
      checkStop()
    })
    await expect(step).rejects.toThrow('no longer wanted')
  })

  it('counts the processor time of each by itself', async () => {
    const queue = new TurnQueue()
    const [busy, idle] = [queue.turnsFor(forever, 1_000), queue.turnsFor(forever, 1_000)]
    const toil = async (): Promise<void> => {
      const { user } = process.threadCpuUsage()
      while (process.threadCpuUsage().user < user + 30_000);
    }
    await Promise.all([busy.take(toil), idle.take(async () => undefined), busy.take(toil)])
    expect(busy.spentMs()).toBeGreaterThanOrEqual(60)
    expect(idle.spentMs()).toBeLessThan(30)
  })

  it('ends a step that takes too long', async () => {
    const step = new TurnQueue().turnsFor(forever, -1).take(async (checkStop) => checkStop())
    await expect(step).rejects.toBeInstanceOf(StepTimeout)
  })
})
