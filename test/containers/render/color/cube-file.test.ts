import { describe, expect, it } from 'vitest'
import { rewriteCube } from '../../../../containers/render/color/cube-file.ts'

const eight = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2].join(' '))

function cube(...lines: readonly string[]): string {
  return ['# made by hand', 'TITLE "Warm; [a]"', 'LUT_3D_SIZE 2', '', ...lines].join('\r\n')
}

describe('rewriteCube', () => {
  it('writes its size, its range and its colours, and nothing else', () => {
    const text = cube('DOMAIN_MAX 1 1 1', ...eight, '# the end', '')
    const lines = rewriteCube(`\uFEFF${text}`).trimEnd().split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'LUT_3D_SIZE 2',
      'DOMAIN_MIN 0.0000 0.0000 0.0000',
      'DOMAIN_MAX 1.0000 1.0000 1.0000',
      '0.0000 0.0000 0.0000',
    ])
    expect(lines).toHaveLength(11)
    expect(rewriteCube(cube('LUT_3D_INPUT_RANGE 0 1.5', ...eight))).toContain('DOMAIN_MAX 1.5000')
  })

  it.each([
    ['', 'line 1 ends the file, which has no LUT_3D_SIZE'],
    ['0 0 0', 'line 1 has a colour, and LUT_3D_SIZE did not come before'],
    ['LUT_3D_SIZE 1e9', 'line 1 has the size "1e9"; it must be from 2 to 65'],
    ['LUT_3D_SIZE 66', 'line 1 has the size "66"'],
    ['LUT_1D_SIZE 4', 'line 1 has LUT_1D_SIZE; only tables with LUT_3D_SIZE are read'],
    ['\u0089PNG\u001a', 'line 1 must have three numbers, not "?PNG?"'],
    [cube(...eight.slice(1)), 'line 11 ends the file after 7 of the 8 colours of LUT_3D_SIZE 2'],
    [cube(...eight, '1 1 1'), 'line 13 has more colours than the 8 of LUT_3D_SIZE 2'],
    [cube('0 0'), 'line 5 must have three numbers, not "0 0"'],
    [cube('0 nan 0'), 'line 5 must have three numbers, not "0 nan 0"'],
    [cube('0 1e99 0'), 'line 5 has "1e99"; a number from -16 to 16 is expected'],
    [cube('0 0x10 0'), 'line 5 must have three numbers'],
    [cube('0 0 0', 'DOMAIN_MIN 0 0 0'), 'line 6 has "DOMAIN_MIN" behind the colours'],
    [cube('INCLUDE /etc/passwd'), 'line 5 has the unknown word "INCLUDE"'],
    [cube('DOMAIN_MIN 1 1 1', ...eight), 'whose DOMAIN_MIN is not below its DOMAIN_MAX'],
  ])('refuses %j and names the line', (text, message) => {
    expect(() => rewriteCube(text)).toThrow(message)
  })
})
