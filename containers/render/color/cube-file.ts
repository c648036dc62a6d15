/** The fault of a colour table, and its line. */
export class CubeFault extends Error {
  override name = 'CubeFault'
  constructor(line: number, message: string) {
    super(`line ${line} ${message}`)
  }
}

const sizes = { least: 2, most: 65 } as const
/** Tables for cameras reach a little beyond black and white; a value farther out cannot be a colour. */
const farthest = 16
const number = /^[+-]?(?:\d{1,10}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][+-]?\d{1,2})?$/

type Triple = readonly [red: number, green: number, blue: number]

/**
 * Reads a colour table (`.cube`) and writes it again: only its size, its range and its numbers reach ffmpeg. Throws a
 * `CubeFault`.
 */
export function rewriteCube(text: string): string {
  let size: number | undefined
  let [least, most]: [Triple, Triple] = [
    [0, 0, 0],
    [1, 1, 1],
  ]
  const rows: string[] = []
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  for (const [i, whole] of lines.entries()) {
    const line = i + 1
    const words = whole.trim().split(/\s+/)
    const [first = ''] = words
    if (first === '' || first.startsWith('#') || first === 'TITLE') continue
    if (/^[A-Z_]/.test(first) && rows.length > 0)
      throw new CubeFault(line, `has ${quoted(first)} behind the colours`)
    if (first === 'LUT_3D_SIZE') size = sizeIn(words, line)
    else if (first === 'DOMAIN_MIN') least = tripleIn(words.slice(1), line)
    else if (first === 'DOMAIN_MAX') most = tripleIn(words.slice(1), line)
    else if (first === 'LUT_3D_INPUT_RANGE') [least, most] = rangeIn(words, line)
    else if (first === 'LUT_1D_SIZE')
      throw new CubeFault(line, 'has LUT_1D_SIZE; only tables with LUT_3D_SIZE are read')
    else if (/^[A-Z_]/.test(first))
      throw new CubeFault(line, `has the unknown word ${quoted(first)}`)
    else {
      const row = tripleIn(words, line)
      if (size === undefined)
        throw new CubeFault(line, 'has a colour, and LUT_3D_SIZE did not come before')
      if (rows.length === size ** 3)
        throw new CubeFault(line, `has more colours than the ${size ** 3} of LUT_3D_SIZE ${size}`)
      rows.push(written(row))
    }
  }
  return put({ size, least, most, rows, lines: lines.length })
}

type CubeLines = {
  size: number | undefined
  least: Triple
  most: Triple
  rows: readonly string[]
  lines: number
}

function put({ size, least, most, rows, lines }: CubeLines): string {
  if (size === undefined) throw new CubeFault(lines, 'ends the file, which has no LUT_3D_SIZE')
  if (rows.length < size ** 3)
    throw new CubeFault(
      lines,
      `ends the file after ${rows.length} of the ${size ** 3} colours of LUT_3D_SIZE ${size}`,
    )
  if (least.some((value, i) => value >= (most[i] ?? 0)))
    throw new CubeFault(lines, 'ends the file, whose DOMAIN_MIN is not below its DOMAIN_MAX')
  const head = [
    `LUT_3D_SIZE ${size}`,
    `DOMAIN_MIN ${written(least)}`,
    `DOMAIN_MAX ${written(most)}`,
  ]
  return `${[...head, ...rows].join('\n')}\n`
}

function sizeIn([, word = '']: readonly string[], line: number): number {
  const size = /^\d{1,4}$/.test(word) ? Number(word) : 0
  if (size >= sizes.least && size <= sizes.most) return size
  throw new CubeFault(
    line,
    `has the size ${quoted(word)}; it must be from ${sizes.least} to ${sizes.most}`,
  )
}

function rangeIn([, from = '', to = '']: readonly string[], line: number): [Triple, Triple] {
  return [tripleIn([from, from, from], line), tripleIn([to, to, to], line)]
}

function tripleIn(words: readonly string[], line: number): Triple {
  const values = words.map((word) => (number.test(word) ? Number(word) : Number.NaN))
  const [red, green, blue] = values
  const isTriple = values.length === 3 && !values.some((value) => Number.isNaN(value))
  if (!isTriple || red === undefined || green === undefined || blue === undefined)
    throw new CubeFault(line, `must have three numbers, not ${quoted(words.join(' '))}`)
  const wrong = values.findIndex((value) => !(Math.abs(value) <= farthest))
  if (wrong < 0) return [red, green, blue]
  throw new CubeFault(
    line,
    `has ${quoted(words[wrong] ?? '')}; a number from -${farthest} to ${farthest} is expected`,
  )
}

/** Ten thousand steps are far finer than the colours of a film. */
function written(triple: Triple): string {
  return triple.map((value) => value.toFixed(4)).join(' ')
}

function quoted(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?')
  return `"${plain.length > 40 ? `${plain.slice(0, 40)}…` : plain}"`
}
