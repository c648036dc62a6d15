import { expect, it } from 'vitest'
import { knowsUnicode, wantsColour } from '../../../../client/src/cli/terminal/paint.ts'

it('colours a terminal, unless somebody does not want it', () => {
  expect(wantsColour({}, true)).toBe(true)
  expect(wantsColour({}, false)).toBe(false)
  expect(wantsColour({ NO_COLOR: '1', FORCE_COLOR: '1' }, true)).toBe(false)
  expect(wantsColour({ NO_COLOR: '' }, true)).toBe(true)
  expect(wantsColour({ FORCE_COLOR: '1' }, false)).toBe(true)
  expect(wantsColour({ TERM: 'dumb' }, true)).toBe(false)
})

it('draws with more than ASCII only where the terminal says that it can', () => {
  expect(knowsUnicode({ LANG: 'de_CH.UTF-8' }, 'linux')).toBe(true)
  expect(knowsUnicode({ LANG: 'de_CH.UTF-8', LC_ALL: 'C' }, 'linux')).toBe(false)
  expect(knowsUnicode({}, 'linux')).toBe(false)
})
