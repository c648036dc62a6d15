import { vi } from 'vitest'
import { bindings, prototypeOf } from '../bindings.ts'

/** From the call of D1 with this number on, every one fails, as if the process had died. Returns whether it came so far. */
export async function dyingAt(call: number, work: () => Promise<unknown>): Promise<boolean> {
  let calls = 0
  const die = () => {
    if (++calls >= call) throw new Error('killed')
  }
  const spies: { mockRestore(): void }[] = []
  const watch = (target: object, methods: readonly string[]) => {
    for (const method of methods) {
      const real = Reflect.get(target, method) as (...given: unknown[]) => unknown
      const spy = vi.spyOn(target as Record<string, () => unknown>, method)
      spy.mockImplementation(async function (this: unknown, ...given: unknown[]) {
        die()
        return real.apply(this, given)
      })
      spies.push(spy)
    }
  }
  watch(prototypeOf(bindings.DB), ['batch'])
  watch(prototypeOf(bindings.DB.prepare('SELECT 1')), ['all', 'run', 'raw', 'first'])
  try {
    await work().catch(() => undefined)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return calls >= call
}
