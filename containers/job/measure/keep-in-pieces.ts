import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { z } from 'zod'
import { jsonOf } from '../../../worker/contract/input/parse-input.ts'
import { mostWindowText } from '../../../worker/contract/job/part-job.ts'
import type { KeptBytes } from '../../sound/kept-bytes.ts'
import type { Log } from '../../errors/log.ts'
import type { KeptTexts } from '../../speech/kept-windows.ts'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** A higher quality saves a twentieth of the bytes, and takes five times as long. */
const quality = { [constants.BROTLI_PARAM_QUALITY]: 5 }
/** As base64, a piece is no longer than a text may be. */
const pieceBytes = Math.floor(mostWindowText / 4) * 3
/** As many as noise takes in two hours of speech in rain. Everything else that is measured takes less. */
const mostPieces = 100
/** Before they are packed. */
const mostBytes = 1_000_000_000

const head = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  pieces: z.int().min(1).max(mostPieces),
  bytes: z.int().min(1).max(mostBytes),
})

/**
 * Keeps bytes as texts beside what was heard: a head under their name, which says what they are, and pieces named after what is
 * in them, so that pieces of two jobs are never mixed. The first piece that could not be kept is the last that is tried.
 */
export function keepInPieces(texts: KeptTexts, log: (...line: Parameters<Log>) => void): KeptBytes {
  const textOf = async (name: string) => (await texts.find([name])).get(name)
  const takes: KeptBytes['takes'] = (bytes) => {
    if (texts.isOff()) return false
    const hasRoom = bytes <= mostPieces * pieceBytes
    if (!hasRoom) log('info', 'What was measured is too large to be kept', { bytes })
    return hasRoom
  }
  return {
    takes,
    async find(name) {
      const said = readHead(await textOf(name))
      if (!said) return undefined
      const pieces: Buffer[] = []
      for (let i = 0; i < said.pieces; i++) {
        const text = await textOf(pieceName(said.sha256, i))
        if (text === undefined) return undefined
        pieces.push(Buffer.from(text, 'base64'))
      }
      const packed = Buffer.concat(pieces)
      if (hash('sha256', packed) !== said.sha256) return undefined
      return decompress(packed, { maxOutputLength: said.bytes })
    },
    async keep(name, bytes) {
      if (bytes.length === 0 || bytes.length > mostBytes || texts.isOff()) return
      const packed = await compress(bytes, { params: quality })
      if (!takes(packed.length)) return
      const pieces = Math.ceil(packed.length / pieceBytes)
      const sha256 = hash('sha256', packed)
      for (let i = 0; i < pieces; i++) {
        const piece = packed.subarray(i * pieceBytes, (i + 1) * pieceBytes)
        if (!(await texts.keep(pieceName(sha256, i), piece.toString('base64')))) return
      }
      await texts.keep(name, JSON.stringify({ sha256, pieces, bytes: bytes.length }))
    },
  }
}

function readHead(text: string | undefined) {
  if (text === undefined) return undefined
  return head.safeParse(jsonOf(text)).data
}

const pieceName = (sha256: string, i: number): string => hash('sha256', `piece ${i} ${sha256}`)
