import { callStorage } from '../../store/database.ts'
import { describeError, log } from '../log.ts'

/** A download under way ends at the next piece once its object has been deleted. */
const usualPieceBytes = 33_554_432

export type ObjectPart = { offset: number; length: number }
export type OpenedObject = { object: R2Object; body: ReadableStream }

/** Opens a part of an object, whose bytes never change; undefined if the object is gone. */
export async function openObject(
  bucket: R2Bucket,
  key: string,
  part: ObjectPart,
  pieceBytes = usualPieceBytes,
): Promise<OpenedObject | undefined> {
  const first = { offset: part.offset, length: Math.min(part.length, pieceBytes) }
  const object = await openPiece(bucket, key, first)
  if (!object) return undefined
  if (first.length === part.length) return { object, body: object.body }
  const { readable, writable } = new FixedLengthStream(part.length)
  const rest = { offset: first.offset + first.length, length: part.length - first.length }
  void passOn({ bucket, key, pieceBytes }, object.body, rest, writable)
  return { object, body: readable }
}

/** Opens one piece. R2 cannot be asked for an empty range. */
async function openPiece(
  bucket: R2Bucket,
  key: string,
  range: ObjectPart,
): Promise<R2ObjectBody | null> {
  return callStorage(async () => bucket.get(key, range.length === 0 ? {} : { range }))
}

/** Sends one piece after another. If one cannot be read the connection breaks, and the client sees that bytes are missing. */
async function passOn(
  { bucket, key, pieceBytes }: { bucket: R2Bucket; key: string; pieceBytes: number },
  first: ReadableStream,
  rest: ObjectPart,
  to: WritableStream<Uint8Array>,
): Promise<void> {
  const end = rest.offset + rest.length
  try {
    await first.pipeTo(to, { preventClose: true })
    for (let offset = rest.offset; offset < end; offset += pieceBytes) {
      const length = Math.min(pieceBytes, end - offset)
      const piece = await openPiece(bucket, key, { offset, length })
      if (!piece) throw new Error('the file was deleted while it was sent')
      await piece.body.pipeTo(to, { preventClose: offset + length < end })
    }
  } catch (error) {
    log('info', 'a file was not sent to its end', describeError(error))
    // Nothing is left to abort if the client has gone.
    await to.abort(error).catch(() => undefined)
  }
}

export type ByteRange =
  | { outcome: 'whole' }
  | { outcome: 'part'; offset: number; length: number }
  | { outcome: 'unsatisfiable' }

/** Reads one range of RFC 9110. Several ranges, other units and nonsense get the whole file, which the RFC allows. */
export function readRange(header: string | undefined, size: number): ByteRange {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '')
  const [, first = '', last = ''] = match ?? []
  if (!match || (first === '' && last === '')) return { outcome: 'whole' }
  if (first === '') {
    const length = Math.min(Number(last), size)
    if (length === 0) return { outcome: 'unsatisfiable' }
    return { outcome: 'part', offset: size - length, length }
  }
  const offset = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < offset) return { outcome: 'whole' }
  if (offset >= size) return { outcome: 'unsatisfiable' }
  return { outcome: 'part', offset, length: end - offset + 1 }
}
