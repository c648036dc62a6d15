import { inflateSync, zstdDecompressSync } from 'node:zlib'

const flags = { inflated: 1, folder: 2, zstandard: 4 }

/** The files in a resource file of Qt (rcc), by their paths. */
export function readResources(file: Buffer): Map<string, Buffer> {
  const [tree, data, names] = [8, 12, 16].map((at) => file.readUInt32BE(at)) as [
    number,
    number,
    number,
  ]
  // From version 2 on each entry has a time as well.
  const entryBytes = file.readUInt32BE(4) >= 2 ? 22 : 14
  const found = new Map<string, Buffer>()
  const nameAt = (at: number): string => {
    const length = file.readUInt16BE(names + at)
    const text = file.subarray(names + at + 6, names + at + 6 + length * 2)
    return Buffer.from(text).swap16().toString('utf16le')
  }
  const visit = (place: number, folder: string): void => {
    const entry = tree + place * entryBytes
    const flag = file.readUInt16BE(entry + 4)
    const path = place === 0 ? '' : `${folder}/${nameAt(file.readUInt32BE(entry))}`
    if ((flag & flags.folder) === 0) {
      found.set(path, contentAt(file, data + file.readUInt32BE(entry + 10), flag))
      return
    }
    const first = file.readUInt32BE(entry + 10)
    for (let i = 0; i < file.readUInt32BE(entry + 6); i++) visit(first + i, path)
  }
  visit(0, '')
  return found
}

function contentAt(file: Buffer, at: number, flag: number): Buffer {
  const content = file.subarray(at + 4, at + 4 + file.readUInt32BE(at))
  if (flag & flags.inflated) return inflateSync(content.subarray(4))
  return flag & flags.zstandard ? zstdDecompressSync(content) : content
}
