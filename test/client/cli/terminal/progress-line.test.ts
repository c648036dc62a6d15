import { describe, expect, it } from 'vitest'
import { makePaint } from '../../../../client/src/cli/terminal/paint.ts'
import { progressLine } from '../../../../client/src/cli/terminal/progress-line.ts'
import { textWidth } from '../../../../client/src/cli/terminal/text-width.ts'

const plain = { isUnicode: false, paint: makePaint(false) }
const step = { label: 'Uploading talk.mp4', fraction: 0.5, detail: '24 MB of 48 MB' }

describe('progressLine', () => {
  it('shows what is done, how far it is, and the details', () => {
    expect(progressLine(step, 0, { ...plain, columns: 80 })).toBe(
      '| Uploading talk.mp4 [###############...............]  50 % 24 MB of 48 MB',
    )
  })

  it('leaves out the details first, then the bar, and then cuts the name', () => {
    expect(progressLine(step, 1, { ...plain, columns: 45 })).toBe(
      '/ Uploading talk.mp4 [#######........]  50 %',
    )
    expect(progressLine(step, 2, { ...plain, columns: 30 })).toBe('- Uploading talk.mp4  50 %')
    expect(progressLine(step, 3, { ...plain, columns: 20 })).toBe('\\ Uploadin...  50 %')
  })

  it('never fills the last column, whatever the width and the letters', () => {
    const wide = { label: '録画された講演の動画.mp4', fraction: 0.333, detail: '1 MB' }
    for (let columns = 16; columns <= 120; columns++) {
      for (const isUnicode of [true, false]) {
        const look = { columns, isUnicode, paint: makePaint(true) }
        expect(textWidth(progressLine(wide, columns, look))).toBeLessThan(columns)
      }
    }
  })
})
