import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Packing } from '../../ffmpeg/measure-packing.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { packetFiles } from '../plan/cutting.ts'
import type { Cutting } from '../cut-model.ts'
import type { Samples } from '../mp4/film.ts'
import { unitFaults } from './unit-faults.ts'

type Written = { readonly path: string; readonly packing: Packing }

const mostBytesAtOnce = 2 * 1024 ** 2

/**
 * Compares every packet of the result with the one it was made of. Undefined if all are the same, byte for byte, or, where
 * ffprobe gave their hashes, by those.
 */
export async function compareBytes(
  { folder, signal }: ToolContext,
  cutting: Pick<Cutting, 'source' | 'parts' | 'pieces'>,
  samples: Samples,
  written: Written,
): Promise<string | undefined> {
  if (samples.sums) return compareSums(samples.sums, written.packing)
  const names = packetFiles(cutting)
  const handles: FileHandle[] = []
  try {
    for (const name of [written.path, ...names]) handles.push(await open(path.join(folder, name)))
    const [result, ...origins] = handles
    // Used again and again: new ones would wait for the collector, gigabytes of them in a long film.
    const [ours, theirs] = [emptyBuffer(), emptyBuffer()]
    const faultOf = unitFaults(cutting)
    for (const { file, from, to, sizeBytes, count } of stretches(samples, written.packing)) {
      signal.throwIfAborted()
      const origin = origins[file]
      if (!result || !origin) throw new Error('A packet of no file')
      const [a, b] = await Promise.all([
        readAt(origin, from, theirs(sizeBytes)),
        readAt(result, to, ours(sizeBytes)),
      ])
      if (!a.equals(b)) return otherPicture
      const fault = file < cutting.source.files.length ? faultOf(a, count) : undefined
      if (fault !== undefined) return fault
    }
    return undefined
  } finally {
    await Promise.all(handles.map(async (handle) => handle.close()))
  }
}

/** Pictures at the seams have no sum: all of them are decoded and compared. */
function compareSums(expected: Float64Array, { sums }: Packing): string | undefined {
  const isOff = expected.some((sum, i) => !Number.isNaN(sum) && sum !== sums?.[i])
  return isOff ? otherPicture : undefined
}

const otherPicture = 'a copied picture is not that of the source'

/** Gives the same memory each time, as much of it as is asked for. */
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

type Stretch = { file: number; from: number; to: number; sizeBytes: number; count: number }

/** Packets that lie side by side in both files are compared together. */
function* stretches(samples: Samples, { positions }: Packing): Generator<Stretch> {
  let open: Stretch | undefined
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
