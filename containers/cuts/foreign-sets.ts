import type { CutSource } from './cutting.ts'
import { setsIn } from './describe-film.ts'

/**
 * Finds whether packets have parameter sets that the header has not. A cut could leave out those that later pictures need,
 * and later ones could take the place of those that seams are coded for.
 */
export function foreignSets({
  codec,
  model,
}: Pick<CutSource, 'codec' | 'model'>): (packets: Buffer) => boolean {
  if (codec === 'vp9') return () => false
  const told = setsIn(codec, model.description)
  const isSet = codec === 'hevc' ? isHevcSet : isAvcSet
  return (packets) => {
    let at = 0
    while (at + 5 <= packets.length) {
      const end = at + 4 + packets.readUInt32BE(at)
      const unit = packets.subarray(at + 4, end)
      if (isSet(unit[0] ?? 0) && !told.some((set) => set.equals(unit))) return true
      at = end
    }
    return false
  }
}

function isAvcSet(first: number): boolean {
  return (first & 31) === 7 || (first & 31) === 8
}

function isHevcSet(first: number): boolean {
  const kind = (first >> 1) & 63
  return kind >= 32 && kind <= 34
}
