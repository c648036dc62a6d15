import { readFile } from 'node:fs/promises'
import type { Grid } from '../shown/picture-grid.ts'

const png = { head: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), end: Buffer.from('IEND') } as const
const jpeg = { head: Buffer.from([0xff, 0xd8]), end: Buffer.from([0xff, 0xd9]) } as const
/** The markers of JPEG that begin a description of the picture; the others among these describe tables. */
const describing = { from: 0xc0, to: 0xcf, tables: [0xc4, 0xc8, 0xcc] as readonly number[] }

/** Reads how large a PNG or a JPEG is; undefined if it does not end as it has to. */
export async function readStill(file: string): Promise<Grid | undefined> {
  const bytes = await readFile(file)
  if (bytes.subarray(0, 8).equals(png.head)) {
    if (!bytes.subarray(-8, -4).equals(png.end)) return undefined
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  const isWhole = bytes.subarray(0, 2).equals(jpeg.head) && bytes.subarray(-2).equals(jpeg.end)
  return isWhole ? sizeInJpeg(bytes) : undefined
}

function sizeInJpeg(bytes: Buffer): Grid | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0
    const isSize = marker >= describing.from && marker <= describing.to
    if (isSize && !describing.tables.includes(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
