import { z } from 'zod'

/** The space of a file system, in bytes that the service may use. */
export const diskSpace = z.object({ freeBytes: z.number(), totalBytes: z.number() })
export type DiskSpace = z.infer<typeof diskSpace>

/** How much is free, and how much of it is reserved for what must be written: ends of jobs, rows, and a few lines of logs. */
export type DiskRoom = { readonly freeBytes: number; readonly reserveBytes: number }

/**
 * `low`: nothing new is accepted, and work that has begun may use the reserve. `scarce`: half of the reserve is used up, so
 * jobs are ended and logs leave out lines.
 */
export const diskLevels = ['roomy', 'low', 'scarce'] as const
export type DiskLevel = (typeof diskLevels)[number]

const shareOfDisk = 0.1
const leastReserve = 32_000_000
const largestReserve = 1_000_000_000

/** The reserve that the operator has set, or one that fits the disk. */
function reserveOf({ totalBytes }: DiskSpace, setBytes: number | undefined): number {
  if (setBytes !== undefined) return setBytes
  const fitting = Math.max(leastReserve, Math.ceil(totalBytes * shareOfDisk))
  return Math.min(fitting, largestReserve, Math.ceil(totalBytes / 2))
}

export function roomOf(space: DiskSpace, setBytes: number | undefined): DiskRoom {
  return { freeBytes: space.freeBytes, reserveBytes: reserveOf(space, setBytes) }
}

export function judgeDisk(room: DiskRoom): DiskLevel {
  if (room.freeBytes >= room.reserveBytes) return 'roomy'
  return room.freeBytes >= leastOf(room) ? 'low' : 'scarce'
}

/** Below this, even work that has begun is ended. */
export function leastOf({ reserveBytes }: DiskRoom): number {
  return reserveBytes / 2
}
