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
