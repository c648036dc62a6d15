import { Blob, Face, Font } from 'harfbuzzjs'
import { u16, u32 } from './mov-file.ts'

export type Lookups = {
  /** All of them are the same one. */
  readonly lookups: number
  /** Of each lookup, all of them the same one. */
  readonly subtables: number
  /** That each subtable tries on every a, and none of which fits. */
  readonly rules: number
  /** Readers of fonts do less for a table that is small. */
  readonly bytes: number
}

/** A font that is the given one, except that its GSUB tries `lookups × subtables × rules` rules on every a. */
export function hostileFont(base: Buffer, lookups: Lookups): Buffer {
  const glyph = new Font(new Face(new Blob(base))).glyph('a'.codePointAt(0) ?? 0) ?? 0
  return withTable(base, 'GSUB', substitutions(glyph, lookups))
}

const times = (count: number, value: number): Buffer => u16(...Array<number>(count).fill(value))

/** https://learn.microsoft.com/en-us/typography/opentype/spec/gsub */
function substitutions(glyph: number, { lookups, subtables, rules, bytes }: Lookups): Buffer {
  // One script with one feature that every text has, which uses all lookups.
  const language = [u16(0, 0xffff, 1, 0)]
  const script = [u16(1), Buffer.from('DFLT'), u16(8), u16(4, 0), ...language]
  const indices = u16(...Array.from({ length: lookups }, (_, i) => i))
  const feature = [u16(1), Buffer.from('ccmp'), u16(8), u16(0, lookups), indices]
  const extension = Buffer.concat([u16(1, 5), u32(8)])
  const lookup = Buffer.concat([u16(7, 0, subtables), times(subtables, 6 + 2 * subtables)])
  const list = [u16(lookups), times(lookups, 2 + 2 * lookups), lookup, extension]
  // Four letters, of which only the last one never comes: readers of fonts look at the first ones early.
  const rule = u16(4, 0, glyph, glyph, 0xfffe)
  const ruleSet = Buffer.concat([u16(rules), times(rules, 2 + 2 * rules), rule])
  const coverage = u16(1, 1, glyph)
  const context = Buffer.concat([u16(1, 8, 1, 8 + coverage.length), coverage, ruleSet])
  const [scripts, features, all] = [script, feature, list].map((parts) => Buffer.concat(parts))
  if (!scripts || !features || !all) throw new Error('A part is missing')
  const at = 10 + scripts.length
  const header = u16(1, 0, 10, at, at + features.length)
  const table = Buffer.concat([header, scripts, features, all, context])
  return Buffer.concat([table, Buffer.alloc(Math.max(0, bytes - table.length))])
}

function withTable(font: Buffer, tag: string, table: Buffer): Buffer {
  const changed = Buffer.concat([font, Buffer.alloc((4 - (font.length % 4)) % 4), table])
  const entry = font.indexOf(tag)
  changed.writeUInt32BE(changed.length - table.length, entry + 8)
  changed.writeUInt32BE(table.length, entry + 12)
  return changed
}
