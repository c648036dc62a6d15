import { describe, expect, it } from 'vitest'
import { searchNames } from '../../../../worker/service/videos/search-videos.ts'

type Named = { id: string; createdAt: number; name: string }

function aList(names: readonly string[]) {
  const rows: Named[] = names.map((name, i) => ({ id: `v_${i}`, createdAt: 1e6 - i, name }))
  const reads: number[] = []
  return {
    reads,
    find: async (text: string, limit = 25, after?: Named) =>
      searchNames({
        text,
        after,
        limit,
        read: async (from, count) => {
          reads.push(count)
          const begin = from ? rows.findIndex(({ id }) => id === from.id) + 1 : 0
          return rows.slice(begin, begin + count)
        },
      }),
  }
}

describe('a search by name', () => {
  it('looks past case, accents and the order of words', async () => {
    const { find } = aList(['Übung – Eins', 'RÉSUMÉ', 'प्रशिक्षण', 'other'])
    expect((await find('ubung')).ids).toEqual(['v_0'])
    expect((await find('eins ÜBUNG')).ids).toEqual(['v_0'])
    expect((await find('resume')).ids).toEqual(['v_1'])
    expect((await find('प्रशिक्षण')).ids).toEqual(['v_2'])
    expect((await find('(.*')).ids).toEqual([])
  })

  it('stops when it has enough, and goes on from there', async () => {
    const { find } = aList(Array.from({ length: 10 }, (_, i) => `talk ${i}`))
    const first = await find('talk', 4)
    expect([first.ids, first.end?.id]).toEqual([['v_0', 'v_1', 'v_2', 'v_3'], 'v_3'])
    const second = await find('talk', 100, first.end && { ...first.end, name: '' })
    expect([second.ids.length, second.end]).toEqual([6, undefined])
  })

  it('reads no more than 5,000 names at a time, and says where to go on', async () => {
    const names = Array.from({ length: 7000 }, (_, i) => (i === 6500 ? 'needle' : 'hay'))
    const { find, reads } = aList(names)
    const first = await find('needle')
    expect([first.ids, first.looked, first.end?.id]).toEqual([[], 5000, 'v_4999'])
    expect(reads).toEqual([1000, 1000, 1000, 1000, 1000])
    const second = await find('needle', 25, first.end && { ...first.end, name: '' })
    expect([second.ids, second.end]).toEqual([['v_6500'], undefined])
  })
})
