import { readFile } from 'node:fs/promises'
import { Blob, Face } from 'harfbuzzjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { FontFault, isCollection, rebuildFont } from '../../../containers/text/font-file.ts'
import { pathOfFont } from '../../../containers/text/built-in-fonts.ts'

let inter: Buffer
let cjk: Buffer

async function fontBytes(name: string): Promise<Buffer> {
  const path = await pathOfFont(name)
  if (path === undefined) throw new Error(`${name} is not installed; npm test installs it`)
  return readFile(path)
}

beforeAll(async () => {
  inter = await fontBytes('Inter-Bold.otf')
  cjk = await fontBytes('NotoSansCJK-Bold.ttc')
})

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

  it('says what is wrong with a file that is no such font', () => {
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
