import { setTimeout as delay } from 'node:timers/promises'
import { isDiskFull } from '../../../containers/errors/job-error.ts'
import { nearestFolder, readDisk } from '../../../containers/job/disk-room.ts'
import {
  judgeDisk,
  roomOf,
  type DiskLevel,
  type DiskRoom,
  type DiskSpace,
} from '../../../worker/contract/job/disk-space.ts'
import type { Teller } from '../output/news.ts'
import { makeBase } from './data-directory.ts'
import { codeOf } from '../../../containers/errors/code-of.ts'

const everyMs = 1_000

type DiskOptions = {
  readonly folder: string
  /** MIN_FREE_BYTES; undefined: chosen from the disk. */
  readonly reserveBytes: number | undefined
  readonly read?: (folder: string) => DiskSpace
}

/** Looks at the disk of the data directory every second, and tells the operator when it fills up and when that is over. */
export class DiskWatch {
  readonly #options: DiskOptions
  readonly #teller: Teller
  readonly #unwritten = new Set<() => void>()
  #level: DiskLevel = 'roomy'
  #timer: NodeJS.Timeout | undefined

  constructor(options: DiskOptions, teller: Teller) {
    this.#options = options
    this.#teller = teller
  }

  get level(): DiskLevel {
    return this.#level
  }

  /** What a file of the service may hold at most, so that all of them together stay small on a small disk. */
  get mostLogBytes(): number {
    const { folder, read = readDisk } = this.#options
    return Math.min(20 * 1024 * 1024, Math.ceil(read(folder).totalBytes / 50))
  }

  start(): void {
    this.look()
    this.#timer = setInterval(() => this.look(), everyMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#unwritten.clear()
  }

  /** Writes now or, where the disk does not take it, as soon as it does. */
  keepWritten(write: () => void): void {
    this.#unwritten.add(write)
    this.#catchUp()
  }

  look(): void {
    const { folder, reserveBytes, read = readDisk } = this.#options
    const room = roomOf(read(folder), reserveBytes)
    const level = judgeDisk(room)
    if (level !== this.#level) {
      this.#level = level
      this.#tell(level, room)
    }
    this.#catchUp()
  }

  #catchUp(): void {
    for (const write of this.#unwritten) {
      try {
        write()
        this.#unwritten.delete(write)
      } catch (error) {
        if (!isOfDisk(error)) throw error
      }
    }
  }

  #tell(level: DiskLevel, { freeBytes, reserveBytes }: DiskRoom): void {
    const text = sayLevel(level, this.#options.folder, { freeBytes, reserveBytes })
    this.#teller.tell({
      event: 'disk',
      level: level === 'roomy' ? 'info' : 'warn',
      text,
      fields: { disk: level, freeBytes, reserveBytes, message: text },
    })
  }
}

/** What a start writes before it can serve anything. */
const startBytes = 8_000_000

/** Waits until a start can write its files; a machine that boots with a full disk needs nobody to start the service again. */
export async function awaitRoomToStart(
  { folder, read = readDisk }: DiskOptions,
  teller: Teller,
  stop: AbortSignal,
): Promise<void> {
  // What can never be written to often looks like a full disk.
  try {
    makeBase(folder)
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
  const lack = lackOfRoom(folder, read)
  if (lack === undefined) return
  const text = `${lack} Waiting until there is room …`
  teller.tell({ event: 'disk', level: 'warn', text, fields: { disk: 'scarce', message: text } })
  while (lackOfRoom(folder, read) !== undefined && !stop.aborted) {
    await delay(everyMs, undefined, { signal: stop }).catch(() => undefined)
  }
}

/** Says that a start has too little room; undefined if it has enough. */
export function lackOfRoom(folder: string, read = readDisk): string | undefined {
  const { freeBytes } = read(nearestFolder(folder))
  if (freeBytes >= startBytes) return undefined
  return `The disk of ${folder} is full: it ${sayLeft(freeBytes)}, and a start needs ${megabytes(startBytes)} MB.`
}

function sayLeft(freeBytes: number): string {
  return freeBytes === 0
    ? 'has nothing left, or takes no more files (df -i)'
    : `has ${megabytes(freeBytes)} MB left`
}

/** Whether a disk may take later what it does not take now. */
function isOfDisk(error: unknown): boolean {
  const code = codeOf(error)
  return isDiskFull(error) || code === 'EROFS' || code === 'EIO'
}

function sayLevel(level: DiskLevel, folder: string, room: DiskRoom): string {
  const { freeBytes, reserveBytes } = room
  const state = `The disk of ${folder} ${sayLeft(freeBytes)}; ${megabytes(reserveBytes)} MB are kept in reserve.`
  switch (level) {
    case 'roomy':
      return `The disk of ${folder} has room again: videos and uploads are accepted.`
    case 'low':
      return `${state} New videos and uploads are refused until there is more; what was accepted goes on.`
    case 'scarce':
      return `${state} New videos and uploads are refused, running jobs are ended to be tried again, and logs leave out lines. Make room; nothing needs to be restarted.`
  }
}

function megabytes(bytes: number): string {
  return Math.floor(bytes / 1_000_000).toLocaleString('en')
}
