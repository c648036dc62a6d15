import { vi } from 'vitest'
import { forgetAll } from '../../../../worker/contract/isolate-memory.ts'
import { bindings, prototypeOf } from '../bindings.ts'

type Disk = { freeBytes: number; totalBytes: number }

type Fetchers = { fetch: (...given: unknown[]) => Promise<Response> }

/** The disk of the service as its host tells it from now on; the reserve of one of 1 GB is 100 MB. */
export function reportDisk(freeBytes: number): Disk {
  const disk = { freeBytes, totalBytes: 1_000_000_000 }
  forgetAll()
  const fetchers = prototypeOf(bindings.DISK as object) as Fetchers
  // Said again, it counts instead of what was said before.
  vi.spyOn(fetchers, 'fetch').mockRestore()
  const asked = Reflect.get(fetchers, 'fetch')
  vi.spyOn(fetchers, 'fetch').mockImplementation(async function (this: Fetcher, ...given) {
    if (given[0] === 'http://disk/') return Response.json(disk)
    return asked.apply(this, given)
  })
  return disk
}
