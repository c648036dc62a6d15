import { describe, expect, it } from 'vitest'
import { escapeFilterValue } from '../../../containers/graph/escape.ts'
import { ffmpeg } from '../../support/containers/run-tool.ts'

/** Writes each value as metadata of a picture with ffmpeg, and reads it back. */
async function throughFfmpeg(values: readonly string[]): Promise<(string | undefined)[]> {
  const chain = values.map(
    (value, i) => `metadata=mode=add:key=k${i}:value=${escapeFilterValue(value)}`,
  )
  const graph = `[0:v]${chain.join(',')},metadata=mode=print:file=-`
  const picture = ['-f', 'lavfi', '-i', 'color=s=16x16:d=0.04']
  const text = await ffmpeg([...picture, '-filter_complex', graph, '-f', 'null', '-'])
  return values.map((_value, i) =>
    text
      .split('\n')
      .find((line) => line.startsWith(`k${i}=`))
      ?.slice(`k${i}=`.length),
  )
}

describe('escapeFilterValue', () => {
  it('brings every character through both parsers of real ffmpeg', async () => {
    const values = [
      ...["it's", 'a:b', 'a,b;c[d]', 'back\\slash', "mix:'\\,;[x]='", 'a=b', '  lead', 'trail  '],
      ...['%{x}', '$HOME `x`', "'", '\\', '\\\\', "\\'", 'ünïcødé 映像', 'a\tb', '#1a2b3c'],
    ]
    expect(await throughFfmpeg(values)).toEqual(values)
  })

  it('writes numbers without exponents, and refuses infinities and NaN', () => {
    expect(escapeFilterValue(1e-7)).toBe('0')
    expect(escapeFilterValue(1 / 3)).toBe('0.333333')
    expect(escapeFilterValue(1_000_000)).toBe('1000000')
    expect(() => escapeFilterValue(Number.NaN)).toThrow(RangeError)
  })
})
