import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Packets } from '../../ffmpeg/measure-packing.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { Samples } from '../mp4/film.ts'

/** The packets that a copy is expected to have, in decoding order. */
export type Expected = Pick<Samples, 'files' | 'positions' | 'sizes' | 'sums'> & {
  /** In seconds from the start of the result. */
  readonly shownAt: Float64Array
  /** How far the times may be off, because containers round them. */
  readonly roundingSeconds: number
}

/** Containers count time from the first sound, which may begin slightly earlier. */
const mostShiftSeconds = 0.03

/** How much later than expected the first picture is shown. */
export function shiftOf(found: Packets, expected: Pick<Expected, 'shownAt'>): number {
  return earliest(found.shownAt) - earliest(expected.shownAt)
}

export function earliest(times: Float64Array): number {
  return times.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY)
}

/** Compares the number, the times and the sizes of the packets that were written with those that were expected. */
export function faultOfPackets(found: Packets, expected: Expected): string | undefined {
  const count = expected.sizes.length
  if (!found.isWhole || found.sizes.length !== count) {
    const many = found.isWhole ? found.sizes.length : 'more'
    return `it has ${many} pictures, not ${count}`
  }
  const shift = shiftOf(found, expected)
  if (!(Math.abs(shift) <= mostShiftSeconds)) return 'its picture begins at another time'
  for (let i = 0; i < count; i++) {
    const at = expected.shownAt[i] ?? 0
    const off = (found.shownAt[i] ?? 0) - at - shift
    if (!(Math.abs(off) <= expected.roundingSeconds))
      return `the picture at ${at.toFixed(3)} s has another time`
    if (found.sizes[i] !== expected.sizes[i]) return `the picture at ${at.toFixed(3)} s is another`
  }
  return undefined
}

/** A written copy, and its packets. */
type WrittenCopy = { readonly path: string; readonly packing: Packets }

const mostBytesAtOnce = 2 * 1024 ** 2

/**
 * Compares every packet of a copy with its original. Undefined if all are the same, byte for byte or, where ffprobe gave their
 * hashes, by those. `inspect` finds further faults in consecutive packets.
 */
export async function compareBytes(
  { folder, signal }: ToolContext,
  expected: Pick<Expected, 'files' | 'positions' | 'sizes' | 'sums'> & { names: readonly string[] },
  written: WrittenCopy,
  inspect: (packets: Buffer, at: PacketStretch) => string | undefined = () => undefined,
): Promise<string | undefined> {
  if (expected.sums) return compareSums(expected.sums, written.packing)
  const handles: FileHandle[] = []
  try {
    for (const name of [written.path, ...expected.names])
      handles.push(await open(path.join(folder, name)))
    const [result, ...origins] = handles
    // Reused, because in a long film, gigabytes of new ones would pile up until they are collected.
    const [ours, theirs] = [emptyBuffer(), emptyBuffer()]
    for (const stretch of stretches(expected, written.packing)) {
      signal.throwIfAborted()
      const { file, from, to, sizeBytes } = stretch
      const origin = origins[file]
      if (!result || !origin) throw new Error('A packet of no file')
      const [a, b] = await Promise.all([
        readAt(origin, from, theirs(sizeBytes)),
        readAt(result, to, ours(sizeBytes)),
      ])
      if (!a.equals(b)) return otherPicture
      const fault = inspect(a, stretch)
      if (fault !== undefined) return fault
    }
    return undefined
  } finally {
    await Promise.all(handles.map(async (handle) => handle.close()))
  }
}

/** Pictures at the seams have no sum, because all of them are decoded and compared. */
function compareSums(expected: Float64Array, { sums }: Packets): string | undefined {
  const isOff = expected.some((sum, i) => !Number.isNaN(sum) && sum !== sums?.[i])
  return isOff ? otherPicture : undefined
}

const otherPicture = 'a copied picture is not that of the source'

/** Returns the same memory each time, as much of it as is asked for. */
function emptyBuffer(): (sizeBytes: number) => Buffer {
  let memory = Buffer.alloc(0)
  return (sizeBytes) => {
    if (memory.length < sizeBytes) memory = Buffer.alloc(Math.max(sizeBytes, mostBytesAtOnce))
    return memory.subarray(0, sizeBytes)
  }
}

async function readAt(handle: FileHandle, at: number, into: Buffer): Promise<Buffer> {
  const { bytesRead } = await handle.read(into, 0, into.length, at)
  return into.subarray(0, bytesRead)
}

type PacketStretch = { file: number; from: number; to: number; sizeBytes: number; count: number }

/** Packets that are adjacent in both files are compared together. */
function* stretches(
  samples: Pick<Samples, 'files' | 'positions' | 'sizes'>,
  { positions }: Packets,
): Generator<PacketStretch> {
  let open: PacketStretch | undefined
  for (let i = 0; i < samples.sizes.length; i++) {
    const sizeBytes = samples.sizes[i] ?? 0
    const next = {
      file: samples.files[i] ?? 0,
      from: samples.positions[i] ?? 0,
      to: positions[i] ?? 0,
      sizeBytes,
      count: 1,
    }
    const follows =
      open?.file === next.file &&
      open.from + open.sizeBytes === next.from &&
      open.to + open.sizeBytes === next.to &&
      open.sizeBytes + sizeBytes <= mostBytesAtOnce
    if (open && follows) {
      open.sizeBytes += sizeBytes
      open.count += 1
    } else {
      if (open) yield open
      open = next
    }
  }
  if (open) yield open
}
