import { existsSync, statfsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import {
  leastOf,
  roomOf,
  type DiskRoom,
  type DiskSpace,
} from '../../worker/contract/job/disk-space.ts'
import { DiskError } from '../errors/job-error.ts'
import { codeOf } from '../errors/code-of.ts'

/**
 * A job may fill four fifths of the disk space that is free when it starts, with inputs, prepared sound and result
 * together.
 */
const share = 0.8

/** Where a job works, and what its operator keeps free there. */
export type Scratch = { readonly folder: string; readonly minFreeBytes: number | undefined }

export function readScratch({ folder, minFreeBytes }: Scratch): DiskRoom {
  return roomOf(readDisk(nearestFolder(folder)), minFreeBytes)
}

/** A database has three files, a start makes about fifty, and each result some more. */
const leastFiles = 200

/** The file system that this folder is on, as a process without privileges may use it. */
export function readDisk(folder: string): DiskSpace {
  const { bavail, blocks, bsize, files, ffree } = statfsSync(folder)
  // It may have room and yet take no more files; some make as many as fit, and count none.
  const takesFiles = files === 0 || ffree >= leastFiles
  return { freeBytes: takesFiles ? bavail * bsize : 0, totalBytes: blocks * bsize }
}

/** The folder, or if it is gone the nearest one above it. */
export function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(path.dirname(folder))
}

/** How many bytes the job may still write. */
export async function roomLeft(scratch: Scratch): Promise<number> {
  const used = await bytesIn(scratch.folder)
  const room = readScratch(scratch)
  const fairly = Math.floor((room.freeBytes + used) * share) - used
  return Math.max(0, Math.min(fairly, room.freeBytes - leastOf(room)))
}

/** How many bytes a job has written so far. */
export async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.map(async (name) => sizeOf(path.join(folder, name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The size of a file, which may be gone by now: parts of a film come and go. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0
    throw error
  }
}

/** Throws before the work begins rather than in the middle of it. */
export async function refuseWithoutRoom(scratch: Scratch, neededBytes: number): Promise<void> {
  if (neededBytes > (await roomLeft(scratch))) throw noRoom()
}

export function noRoom(): DiskError {
  return new DiskError('The media worker has too little disk space.')
}
