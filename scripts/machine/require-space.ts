import { readDisk } from '../../containers/job/disk-room.ts'
import { StopWithMessage } from './stop-with-message.ts'
import { sizeText } from '../../client/src/cli/terminal/quantities.ts'

/** For the names of files, and for what is written while the copy is made. */
const reserveBytes = 16_000_000

export function requireSpace(folder: string, bytes: number): void {
  const { freeBytes } = readDisk(folder)
  const needed = bytes + reserveBytes
  if (freeBytes >= needed) return
  throw new StopWithMessage(
    `${folder} has ${sizeText(freeBytes)} free, and ${sizeText(needed)} are needed.`,
  )
}
