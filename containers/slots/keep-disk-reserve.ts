import { judgeDisk, type DiskRoom } from '../../worker/contract/job/disk-space.ts'
import { ranOutOfDisk } from '../errors/job-error.ts'
import { stackOf, type Log } from '../errors/log.ts'
import type { JobSlots } from './job-slots.ts'

/** In this time a fast disk takes hundreds of megabytes, for which half of the reserve is meant. */
const everyMs = 500

/** Ends one job after another while the disk has less free than everything else on the machine needs. */
export function keepDiskReserve(slots: JobSlots, readDisk: () => DiskRoom, log: Log): void {
  const look = async (): Promise<void> => {
    if (judgeDisk(readDisk()) === 'scarce') await slots.endLargest(ranOutOfDisk())
  }
  setInterval(() => {
    look().catch((error: unknown) =>
      log('error', 'The disk could not be looked at', { fault: stackOf(error) }),
    )
  }, everyMs).unref()
}
