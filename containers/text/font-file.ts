/** Why a font cannot be used, as the end of a sentence for the customer. */
export class FontFault extends Error {
  override name = 'FontFault'
}

/**
 * The most that a font may have. Of 600 honest ones none has more than 20 tables, 1,200 lookups, 2,300 subtables, and 400,000
 * bytes that shape text.
 */
const fontLimits = {
  tables: 64,
  layoutBytes: 2_097_152,
  lookups: 3_000,
  subtables: 10_000,
} as const

type FontTable = { readonly tag: string; readonly bytes: Uint8Array }

/** The tables that shape and draw text. All others, such as programs that move outlines to the grid, are left out. */
const keptTables = [
  ...['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'OS/2', 'glyf', 'loca', 'CFF '],
  ...['GDEF', 'GPOS', 'GSUB', 'kern', 'VORG'],
]
/** The tables whose rules are tried on every letter. */
const layoutTables = ['GSUB', 'GPOS', 'GDEF', 'kern']
const neededTables = ['cmap', 'head', 'hhea', 'hmtx', 'maxp']

const sfntVersions = [0x00010000, 0x4f54544f, 0x74727565]
const collection = 0x74746366
const compressed: Readonly<Record<number, string>> = { 0x774f4646: 'WOFF', 0x774f4632: 'WOFF2' }
const headMagic = 0x5f0f3cf5

/** The share of the size of a font that lies above the baseline; the rest lies below it. */
const ascentShare = 0.8

/**
 * Writes a font with the needed tables of another one, under another family name. Programs that draw text find it by that name,
 * so that neither its own name nor anything else in the file selects a font. Every font gets the same ascent and descent, which
 * together are its size: text in several fonts stands on one line, and takes the height that was asked for.
 */
export function rebuildFont(file: Uint8Array, family: string, index = 0): Uint8Array {
  const tables = new Map(readTables(file, index).map((table) => [table.tag, table.bytes]))
  const missing = neededTables.filter((tag) => !tables.has(tag))
  if (missing.length > 0) throw new FontFault(`has no table ${missing[0]}`)
  const hasCurves = tables.has('CFF ') || (tables.has('glyf') && tables.has('loca'))
  if (!hasCurves) throw new FontFault('has no outlines')
  const unitsPerEm = checkHead(tables.get('head'))
  checkGlyphs(tables.get('maxp'))
  for (const tag of layoutTables) checkLayout(tag, tables.get(tag) ?? new Uint8Array())
  const kept = keptTables.flatMap((tag): FontTable[] => {
    const bytes = tables.get(tag)
    return bytes ? [{ tag, bytes: withUniformLook(tag, bytes, unitsPerEm) }] : []
  })
  return writeFont(tables.has('CFF '), [...kept, { tag: 'name', bytes: nameTable(family) }])
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function readTables(file: Uint8Array, index: number): FontTable[] {
  const view = viewOf(file)
  if (file.length < 12) throw new FontFault('is too short to be a font')
  const start = startOf(view, index)
  if (start + 12 > file.length) throw new FontFault('is cut off')
  const count = view.getUint16(start + 4)
  if (count > fontLimits.tables) {
    throw new FontFault(`has ${count} tables; at most ${fontLimits.tables} are read`)
  }
  if (start + 12 + count * 16 > file.length) throw new FontFault('is cut off')
  const tables = Array.from({ length: count }, (_, i) => readTable(file, view, start + 12 + i * 16))
  const claimed = tables.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (claimed > file.length) throw new FontFault('names the same bytes several times')
  return tables
}

function startOf(view: DataView, index: number): number {
  const version = view.getUint32(0)
  if (version === collection) return startInCollection(view, index)
  const format = compressed[version]
  if (format) throw new FontFault(`is a ${format} file; only TTF and OTF are supported`)
  if (!sfntVersions.includes(version)) throw new FontFault('is neither a TTF nor an OTF font')
  return 0
}

function startInCollection(view: DataView, index: number): number {
  const at = 12 + index * 4
  if (index >= view.getUint32(8) || at + 4 > view.byteLength) {
    throw new FontFault('has fewer fonts than expected')
  }
  return view.getUint32(at)
}

/** Whether a file holds several fonts; those of customers may not. */
export function isCollection(file: Uint8Array): boolean {
  return file.length >= 4 && viewOf(file).getUint32(0) === collection
}

function readTable(file: Uint8Array, view: DataView, at: number): FontTable {
  const tag = String.fromCharCode(...file.subarray(at, at + 4))
  const offset = view.getUint32(at + 8)
  const length = view.getUint32(at + 12)
  if (offset + length > file.length) throw new FontFault('is cut off')
  return { tag, bytes: file.subarray(offset, offset + length) }
}

function checkHead(head: Uint8Array | undefined): number {
  if (!head || head.length < 54 || viewOf(head).getUint32(12) !== headMagic) {
    throw new FontFault('has a damaged table head')
  }
  const unitsPerEm = viewOf(head).getUint16(18)
  if (unitsPerEm < 16 || unitsPerEm > 16_384) throw new FontFault('has a damaged table head')
  return unitsPerEm
}

function checkGlyphs(maxp: Uint8Array | undefined): void {
  if (!maxp || maxp.length < 6 || viewOf(maxp).getUint16(4) === 0) {
    throw new FontFault('has no glyphs')
  }
}

/** Counts references and not stored tables: many lookups may share one subtable, and each of them is tried. */
function checkLayout(tag: string, bytes: Uint8Array): void {
  refuseAbove(fontLimits.layoutBytes, bytes.length, `bytes in its table ${tag}`)
  const view = viewOf(bytes)
  const numberAt = (at: number): number => (at + 2 <= bytes.length ? view.getUint16(at) : 0)
  if (tag === 'kern') return refuseAbove(fontLimits.subtables, numberAt(2), 'subtables of kerning')
  if (tag === 'GDEF') return
  const list = numberAt(8)
  const lookups = list === 0 ? 0 : numberAt(list)
  refuseAbove(fontLimits.lookups, lookups, `lookups in its table ${tag}`)
  const subtables = Array.from({ length: lookups }, (_, i) =>
    numberAt(list + numberAt(list + 2 + 2 * i) + 4),
  )
  const sum = subtables.reduce((all, count) => all + count, 0)
  refuseAbove(fontLimits.subtables, sum, `subtables of lookups in its table ${tag}`)
}

function refuseAbove(most: number, found: number, of: string): void {
  if (found <= most) return
  const [has, may] = [found, most].map((count) => count.toLocaleString('en'))
  throw new FontFault(`has ${has} ${of}; at most ${may} are allowed`)
}

/** Removes the font's own style, so that nothing slants or thickens it, and gives it the same height as every other font. */
function withUniformLook(tag: string, bytes: Uint8Array, unitsPerEm: number): Uint8Array {
  if (tag === 'cmap') return oneCharacterMap(bytes)
  if (!['head', 'hhea', 'OS/2'].includes(tag)) return bytes
  const changed = Uint8Array.from(bytes)
  const view = viewOf(changed)
  const ascent = Math.round(unitsPerEm * ascentShare)
  const descent = unitsPerEm - ascent
  if (tag === 'head') view.setUint16(44, 0)
  if (tag === 'hhea' && changed.length >= 36) {
    view.setInt16(4, ascent)
    view.setInt16(6, -descent)
    view.setInt16(8, 0)
  }
  if (tag === 'OS/2' && changed.length >= 78) {
    view.setUint16(4, 400)
    view.setUint16(62, 0x40)
    for (const [at, value] of [
      [68, ascent],
      [70, -descent],
      [72, 0],
      [74, ascent],
      [76, descent],
    ] as const) {
      view.setInt16(at, value)
    }
  }
  return changed
}

const unicodeMaps = ['3 10', '0 6', '0 4', '3 1', '0 3', '0 2', '0 1', '0 0']

/** Leaves only the map with the most letters: libass takes the first, which often lacks emoji. */
function oneCharacterMap(cmap: Uint8Array): Uint8Array {
  const view = viewOf(cmap)
  const count = cmap.length < 4 ? 0 : view.getUint16(2)
  if (4 + count * 8 > cmap.length) throw new FontFault('has a damaged table cmap')
  const maps = Array.from({ length: count }, (_, i) => ({
    name: `${view.getUint16(4 + i * 8)} ${view.getUint16(6 + i * 8)}`,
    offset: view.getUint32(8 + i * 8),
  }))
  const [best] = unicodeMaps.flatMap((name) => maps.find((map) => map.name === name) ?? [])
  if (!best) throw new FontFault('does not say which letters it has in Unicode')
  const changed = Uint8Array.from(cmap)
  const written = viewOf(changed)
  const isWhole = ['3 10', '0 6', '0 4'].includes(best.name)
  const header = [0, 1, 3, isWhole ? 10 : 1]
  header.forEach((value, i) => written.setUint16(i * 2, value))
  written.setUint32(8, best.offset)
  return changed
}

/** The family, style, full and PostScript name, as Windows reads them. */
function nameTable(family: string): Uint8Array {
  const names = [
    [1, family],
    [2, 'Regular'],
    [4, family],
    [6, family],
  ] as const
  const texts = names.map(([, text]) => Buffer.from(text, 'utf16le').swap16())
  const header = Buffer.alloc(6 + names.length * 12)
  header.writeUInt16BE(names.length, 2)
  header.writeUInt16BE(header.length, 4)
  let at = 0
  for (const [i, [id]] of names.entries()) {
    const length = texts[i]?.length ?? 0
    const record = [3, 1, 0x409, id, length, at]
    record.forEach((value, j) => header.writeUInt16BE(value, 6 + i * 12 + j * 2))
    at += length
  }
  return Buffer.concat([header, ...texts])
}

function writeFont(hasCff: boolean, unsorted: readonly FontTable[]): Uint8Array {
  const tables = unsorted.toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
  const directory = Buffer.alloc(12 + tables.length * 16)
  const power = Math.floor(Math.log2(tables.length))
  directory.writeUInt32BE(hasCff ? 0x4f54544f : 0x00010000, 0)
  directory.writeUInt16BE(tables.length, 4)
  directory.writeUInt16BE(2 ** power * 16, 6)
  directory.writeUInt16BE(power, 8)
  directory.writeUInt16BE((tables.length - 2 ** power) * 16, 10)
  const pieces: Uint8Array[] = [directory]
  let at = directory.length
  for (const [i, { tag, bytes }] of tables.entries()) {
    directory.write(tag, 12 + i * 16, 'latin1')
    directory.writeUInt32BE(at, 12 + i * 16 + 8)
    directory.writeUInt32BE(bytes.length, 12 + i * 16 + 12)
    const padding = (4 - (bytes.length % 4)) % 4
    pieces.push(bytes, Buffer.alloc(padding))
    at += bytes.length + padding
  }
  return Buffer.concat(pieces)
}
