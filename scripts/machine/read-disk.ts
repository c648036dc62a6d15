import { statfsSync } from 'node:fs'
import type { DiskSpace } from '../../worker/contract/job/disk-space.ts'

/** The file system that this folder is on, as a process without privileges may use it. */
export function readDisk(folder: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
