import { vi } from 'vitest'
import { forgetAll } from '../../../worker/service/isolate-memory.ts'
import { bindings, prototypeOf } from './bindings.ts'

export type Disk = { freeBytes: number; totalBytes: number }

/** The disk of the service as its host tells it from now on; the reserve of one of 1 GB is 100 MB. */
export function reportDisk(freeBytes: number): Disk {
  const disk = { freeBytes, totalBytes: 1_000_000_000 }
  forgetAll()
  const fetchers = prototypeOf(bindings.DISK as object) as Fetcher
  const asked = Reflect.get(fetchers, 'fetch') as (...given: unknown[]) => Promise<Response>
  vi.spyOn(fetchers, 'fetch').mockImplementation(async function (
    this: Fetcher,
    ...given: unknown[]
  ) {
    if (given[0] === 'http://disk/') return Response.json(disk)
    return asked.apply(this, given)
  })
  return disk
}
