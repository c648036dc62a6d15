import { statfsSync } from 'node:fs'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { sizeText } from './progress-line.ts'

/** For the names of files, and for what is written while the copy is made. */
const reserveBytes = 16_000_000

export function requireSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= bytes + reserveBytes) return
  throw new StopWithMessage(
    `${folder} has ${sizeText(free)} free, and ${sizeText(bytes + reserveBytes)} are needed.`,
  )
}
