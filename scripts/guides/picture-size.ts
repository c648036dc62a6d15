import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../machine/checkout.ts'

/** The size of a picture of the guides, so that a page does not jump when it arrives: PNG, and WebP as ffmpeg writes it. */
export function pictureSize(address: string): { width: number; height: number } | undefined {
  const file = path.join(root, address.replace(/^\//, ''))
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  return sizeOfPng(bytes) ?? sizeOfWebp(bytes)
}

function sizeOfPng(bytes: Buffer) {
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function sizeOfWebp(bytes: Buffer) {
  const kind = bytes.toString('latin1', 12, 16)
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  if (kind === 'VP8 ') {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  }
  if (kind === 'VP8X') {
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  }
  return undefined
}
