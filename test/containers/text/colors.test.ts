import { describe, expect, it } from 'vitest'
import {
  black,
  contrastInOutline,
  contrastOnBox,
  leastContrast,
  opposite,
  white,
} from '../../../containers/text/colors.ts'
import { contrastOf, readColor } from '../../../worker/contract/options/picture/contrast.ts'

it('readColor reads how opaque a colour is', () => {
  expect(readColor('#1A2b3c')).toEqual({ red: 26, green: 43, blue: 60, opacity: 1 })
  expect(readColor('#00000080').opacity).toBeCloseTo(0.5, 2)
})

it('contrastOf is that of WCAG', () => {
  expect(contrastOf(black, white)).toBeCloseTo(21, 6)
  expect(contrastOf(readColor('#777777'), white)).toBeCloseTo(4.48, 2)
})

it('opposite stands out from every colour', () => {
  for (let red = 0; red < 256; red += 15) {
    for (let green = 0; green < 256; green += 15) {
      for (let blue = 0; blue < 256; blue += 15) {
        const color = { red, green, blue, opacity: 1 }
        expect(contrastOf(color, opposite(color))).toBeGreaterThanOrEqual(leastContrast)
      }
    }
  }
})

describe('contrastOnBox', () => {
  it('judges a translucent box by the picture that suits it least', () => {
    expect(contrastOnBox(white, readColor('#000000C0'))).toBeGreaterThan(leastContrast)
    expect(contrastOnBox(white, readColor('#00000040'))).toBeLessThan(2)
    expect(contrastOnBox(white, white)).toBe(1)
    expect(contrastOnBox(readColor('#FFFFFF30'), black)).toBeLessThan(2)
  })

  it('knows that some picture makes a translucent box look like the text', () => {
    const gray = readColor('#808080')
    expect(contrastOf(gray, black)).toBeGreaterThan(leastContrast)
    expect(contrastOnBox(gray, readColor('#00000070'))).toBe(1)
  })
})

it('contrastInOutline is enough for opaque letters of any colour, and not for those that the picture shines through', () => {
  for (const color of ['#FFFFFF', '#FFE100', '#808080', '#FF0000', '#000000']) {
    expect(contrastInOutline(readColor(color))).toBeGreaterThanOrEqual(leastContrast)
  }
  expect(contrastInOutline(readColor('#FFFFFF40'))).toBeLessThan(leastContrast)
})
