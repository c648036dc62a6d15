import { readdir, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { JobError } from '../errors/job-error.ts'

/**
 * A job may fill four fifths of the disk space that is free when it starts, with inputs, prepared sound and result
 * together.
 */
const share = 0.8

/** How many bytes the job may still write. */
export async function roomLeft(folder: string): Promise<number> {
  const [{ bavail, bsize }, used] = await Promise.all([statfs(folder), usedIn(folder)])
  return Math.max(0, Math.floor((bavail * bsize + used) * share) - used)
}

async function usedIn(folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(path.join(folder, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Throws before the work begins rather than in the middle of it. */
export async function refuseWithoutRoom(folder: string, neededBytes: number): Promise<void> {
  if (neededBytes > (await roomLeft(folder))) throw noRoom()
}

/** Retryable: another machine, or this one later, may have more space. */
export function noRoom(): JobError {
  return new JobError('out_of_resources', 'The media worker has too little disk space.', {
    retryable: true,
  })
}
