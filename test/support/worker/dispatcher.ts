import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import type { Dispatcher } from '../../../worker/durable/dispatcher.ts'
import { bindings } from './bindings.ts'

/** The object that gives out the slots. */
export function slots(): DurableObjectStub<Dispatcher> {
  return (bindings.DISPATCHER as DurableObjectNamespace<Dispatcher>).getByName('slots')
}

/** Resolves when it has called whom it calls. */
export async function settleSlots(): Promise<void> {
  await runInDurableObject(slots(), async (object) => object.settled())
}

/** It rings, whether or not its time has come, and everything that follows is done. */
export async function ringSlots(): Promise<void> {
  await runDurableObjectAlarm(slots())
  await settleSlots()
}

/** It loses what it had in memory, as in a restart; its alarm stays. */
export async function killSlots(): Promise<void> {
  await settleSlots()
  await evictDurableObject(slots())
}

/** It knows nothing, as if nobody had ever waited or borrowed. */
export async function forgetSlots(): Promise<void> {
  await runInDurableObject(slots(), async (object, { storage }) => {
    await object.settled()
    await storage.deleteAlarm()
    storage.kv.delete('lentSlots')
  })
  await evictDurableObject(slots())
}
