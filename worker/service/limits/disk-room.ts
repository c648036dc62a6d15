import {
  diskSpace,
  judgeDisk,
  leastOf,
  roomOf,
  type DiskRoom,
  type DiskSpace,
} from '../../contract/job/disk-space.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { readSettings, type Env } from '../../settings.ts'
import { isolateMemory } from '../../contract/isolate-memory.ts'
import { describeError, log } from '../log.ts'

/** Several requests within this time share one look at the disk. */
const freshMs = 500

const known = isolateMemory<{ space: DiskSpace; at: number } | undefined>(() => undefined)
/** Bytes that are being written and that the disk does not show yet. */
const arriving = isolateMemory(() => ({ bytes: 0 }))

const retryAfterSeconds = 60

/** The room on the disk that the service runs on; undefined if it runs on none. */
export async function readDiskRoom(env: Env, now: number): Promise<DiskRoom | undefined> {
  const space = await look(env, now)
  return space && roomOf(space, readSettings(env).minFreeBytes)
}

async function look({ DISK }: Env, now: number): Promise<DiskSpace | undefined> {
  if (!DISK) return undefined
  const { current } = known
  if (current && now >= current.at && now < current.at + freshMs) return current.space
  try {
    const space = diskSpace.parse(await (await DISK.fetch('http://disk/')).json())
    known.current = { space, at: now }
    return space
  } catch (error) {
    log('error', 'the host does not say how full the disk is', describeError(error))
    return undefined
  }
}

/** A message for the operator; undefined while the disk has room. */
export function sayDisk(room: DiskRoom | undefined): string | undefined {
  if (!room || judgeDisk(room) === 'roomy') return undefined
  const left =
    room.freeBytes === 0
      ? 'nothing left, or takes no more files'
      : `${Math.floor(room.freeBytes / 1_000_000)} MB left`
  return `The disk has ${left}: no new video or upload is accepted`
}

/** Refuses what would use the reserve; once that is in use, everything that would bring more bytes. */
export async function refuseWithoutDisk(env: Env, now: number, bytes: number): Promise<void> {
  requireReserve(await readDiskRoom(env, now), bytes)
}

function requireReserve(room: DiskRoom | undefined, bytes: number): void {
  if (!room) return
  const { freeBytes, reserveBytes } = room
  if (freeBytes < reserveBytes) throw diskFull()
  if (freeBytes - arriving.current.bytes - bytes < reserveBytes) throw tooLargeForDisk()
}

/** Reserves room on the disk for a file that arrives, so that several at once are not promised the same room. */
export class DiskHold {
  readonly #env: Env
  #bytes = 0

  constructor(env: Env) {
    this.#env = env
  }

  /** Reserves these bytes, or refuses them. */
  async take(bytes: number): Promise<void> {
    const room = await readDiskRoom(this.#env, Date.now())
    requireReserve(room, bytes)
    this.#add(bytes)
  }

  /** Writes bytes of the file. If the room shrinks meanwhile, a file that did fit may use the first half of the reserve. */
  async write<Written>(bytes: number, work: () => Promise<Written>): Promise<Written> {
    const room = await readDiskRoom(this.#env, Date.now())
    if (bytes > this.#bytes) {
      requireReserve(room, bytes - this.#bytes)
      this.#add(bytes - this.#bytes)
    }
    requireLeast(room, bytes)
    try {
      return await work()
    } finally {
      this.#add(-bytes)
      if (known.current) known.current.space.freeBytes -= bytes
    }
  }

  release(): void {
    this.#add(-this.#bytes)
  }

  #add(bytes: number): void {
    this.#bytes += bytes
    arriving.current.bytes += bytes
  }
}

function requireLeast(room: DiskRoom | undefined, bytes: number): void {
  if (room && room.freeBytes - bytes < leastOf(room)) throw diskFull()
}

/** The result of a job that has come this far may use the first half of the reserve. */
export async function refuseResultWithoutDisk(env: Env, now: number, bytes: number): Promise<void> {
  requireLeast(await readDiskRoom(env, now), bytes)
}

/** With less than this, SQLite cannot even read, because reading takes a few files of its own. */
const exhaustedBytes = 4_000_000

/** The fault itself or, if the disk is completely full, that as its cause. */
export async function explainByDisk(env: Env, fault: AppError, now: number): Promise<AppError> {
  if (fault.status < 500 || fault.code === 'InsufficientStorage') return fault
  const room = await readDiskRoom(env, now)
  if (!room || room.freeBytes >= exhaustedBytes) return fault
  return new AppError(
    'InsufficientStorage',
    'The disk of this service is full, so it cannot answer this. Its operator has to make room.',
    { retryAfterSeconds, cause: fault },
  )
}

function diskFull(): AppError {
  return new AppError(
    'InsufficientStorage',
    'The disk of this service is almost full, so it cannot accept new videos or uploads. Videos it has accepted carry on. Its operator has to make room.',
    { retryAfterSeconds },
  )
}

function tooLargeForDisk(): AppError {
  return new AppError(
    'InsufficientStorage',
    'The disk of this service has no room for a file of this size. Its operator has to make room.',
    { retryAfterSeconds },
  )
}
