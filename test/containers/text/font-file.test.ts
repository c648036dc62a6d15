import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Blob, Face } from 'harfbuzzjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { FontFault, isCollection, rebuildFont } from '../../../containers/text/font-file.ts'
import { pathOfFont } from '../../../containers/text/built-in-fonts.ts'
import { hostileFont, type Lookups } from '../../support/node/bombs/hostile-font.ts'

let inter: Buffer
let cjk: Buffer
let noto: Buffer

async function fontBytes(name: string): Promise<Buffer> {
  const found = await pathOfFont(name)
  if (found === undefined) throw new Error(`${name} is not installed; npm test installs it`)
  return readFile(found)
}

beforeAll(async () => {
  inter = await fontBytes('Inter-Bold.otf')
  cjk = await fontBytes('NotoSansCJK-Bold.ttc')
  noto = await fontBytes('NotoSans-Regular.ttf')
})

/** All that lie beside a built-in font: hundreds, of every script. */
async function installedFonts(): Promise<string[]> {
  const folder = path.dirname((await pathOfFont('NotoSans-Regular.ttf')) ?? '')
  const names = await readdir(folder)
  return names.filter((name) => name.endsWith('.ttf')).map((name) => path.join(folder, name))
}

const tagsOf = (font: Uint8Array): string[] => {
  const bytes = Buffer.from(font)
  return Array.from({ length: bytes.readUInt16BE(4) }, (_, i) =>
    bytes.toString('latin1', 12 + i * 16, 16 + i * 16),
  )
}

const faultOf = (bytes: Uint8Array): string => {
  try {
    rebuildFont(bytes, 'f')
  } catch (error) {
    if (error instanceof FontFault) return error.message
    throw error
  }
  return 'none'
}

describe('rebuildFont', () => {
  it('gives a font the family that we chose, and keeps no table that a program might run', () => {
    const rebuilt = rebuildFont(inter, 'spool7')
    const face = new Face(new Blob(rebuilt))
    expect(face.getName(1, 'en')).toBe('spool7')
    expect(face.getName(6, 'en')).toBe('spool7')
    expect(face.collectUnicodes()).toContain('ệ'.codePointAt(0))
    expect(tagsOf(rebuilt)).toEqual([...tagsOf(rebuilt)].sort())
    for (const tag of ['fpgm', 'prep', 'cvt ', 'SVG ', 'CBDT']) {
      expect(tagsOf(rebuilt)).not.toContain(tag)
    }
  })

  it('takes one font out of a collection', () => {
    expect(isCollection(cjk)).toBe(true)
    const face = new Face(new Blob(rebuildFont(cjk, 'ja', 0)))
    expect(face.collectUnicodes()).toContain('語'.codePointAt(0))
    expect(() => rebuildFont(cjk, 'none', 99)).toThrow('fewer fonts')
  })

  it('says what is wrong with a file that is not such a font', () => {
    expect(faultOf(Buffer.from('wOF2 and much more text'))).toContain('WOFF2')
    expect(faultOf(Buffer.from('<svg>not a font at all</svg>'))).toContain('neither')
    expect(faultOf(Buffer.alloc(5))).toContain('too short')
    expect(faultOf(inter.subarray(0, inter.length - 20_000))).toContain('cut off')
    expect(faultOf(changed(4, 500))).toContain('500 tables')
    expect(faultOf(withoutTable('cmap'))).toContain('cmap')
    expect(faultOf(withoutTable('CFF '))).toContain('outlines')
  })

  it('refuses a font whose tables all name the same bytes', () => {
    const bytes = Buffer.from(inter)
    for (let i = 0; i < bytes.readUInt16BE(4); i++) {
      bytes.writeUInt32BE(0, 12 + i * 16 + 8)
      bytes.writeUInt32BE(bytes.length, 12 + i * 16 + 12)
    }
    expect(faultOf(bytes)).toContain('same bytes')
  })

  it('refuses what would be tried on every letter for ever, counted as it is named', () => {
    const with_ = (changes: Partial<Lookups>) =>
      faultOf(hostileFont(noto, { lookups: 1, subtables: 1, rules: 1, bytes: 0, ...changes }))
    expect(with_({ lookups: 3_000 })).toBe('none')
    expect(with_({ lookups: 3_001 })).toContain('3,001 lookups')
    expect(with_({ lookups: 10, subtables: 1_000 })).toBe('none')
    expect(with_({ lookups: 11, subtables: 1_000 })).toContain('11,000 subtables')
    expect(with_({ bytes: 2_097_152 })).toBe('none')
    expect(with_({ bytes: 2_097_153 })).toContain('2,097,153 bytes in its table GSUB')
  })

  it('takes every font that is built in', async () => {
    const wrong: string[] = []
    for (const file of await installedFonts()) {
      const bytes = await readFile(file)
      const fault = faultOf(bytes)
      if (/lookups|subtables|bytes/.test(fault)) wrong.push(`${file}: ${fault}`)
    }
    expect(wrong).toEqual([])
  })

  it('ends with a reason or a font, whatever is damaged', () => {
    let state = 7
    const next = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return state % below
    }
    for (let round = 0; round < 200; round++) {
      const bytes = Buffer.from(inter)
      for (let i = 0; i < 4; i++) bytes[next(400)] = next(256)
      expect(typeof faultOf(bytes)).toBe('string')
    }
  })
})

function changed(at: number, value: number): Buffer {
  const bytes = Buffer.from(inter)
  bytes.writeUInt16BE(value, at)
  return bytes
}

function withoutTable(tag: string): Buffer {
  const bytes = Buffer.from(inter)
  bytes.write('none', bytes.indexOf(tag), 'latin1')
  return bytes
}
