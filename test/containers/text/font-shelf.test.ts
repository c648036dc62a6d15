import { expect, it } from 'vitest'
import { cleanLine } from '../../../containers/text/clean-text.ts'
import { splitByFont } from '../../../containers/text/split-by-font.ts'
import { FontShelf } from '../../../containers/text/font-shelf.ts'

it('FontShelf has the emoji of the last years, and joins families and flags', async () => {
  const set = async (text: string) => {
    const plain = cleanLine(text)
    return splitByFont(plain, await new FontShelf().lettering('Inter Bold', plain))
  }
  const found = await set('Ok 😀 🥰 🫠 🩷')
  expect(found.missing).toEqual([])
  expect(new Set(found.runs.map(({ family }) => family)).size).toBe(2)
  const one = await set('😀')
  for (const joined of ['👨‍👩‍👧', '🇩🇪', '👍🏽']) {
    expect((await set(joined)).width).toBeLessThan(one.width * 1.2)
  }
})
