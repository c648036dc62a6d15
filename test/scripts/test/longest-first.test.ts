import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/machine/checkout.ts'
import { inOrder, longest } from '../../../scripts/test/longest-first.ts'

type File = { project: string; file: string }

const numbered = (project: string, count: number): File[] =>
  Array.from({ length: count }, (_, i) => ({ project, file: `test/${project}/${i}.test.ts` }))
const order = (files: readonly File[]) => inOrder(files, (file) => file).map(({ file }) => file)

describe('the order of test files', () => {
  it('begins with the longest of all projects, which are there', () => {
    const [first = '', second = ''] = longest
    const given = [...numbered('node', 2), { project: 'node', file: second }]
    const files = order([...given, { project: 'engine', file: first }])
    expect(files.slice(0, 2)).toEqual([first, second])
    expect(longest.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })

  it('spreads journeys among the files that compute, and leaves out none', () => {
    const given = [...numbered('journeys', 3), ...numbered('node', 7), ...numbered('workerd', 2)]
    const files = order(given)
    expect(files.toSorted()).toEqual(given.map(({ file }) => file).toSorted())
    const journeys = files.flatMap((file, i) => (file.includes('journeys') ? [i] : []))
    expect(journeys).toEqual([0, 3, 6])
    expect(files.slice(-2).every((file) => file.includes('workerd'))).toBe(true)
  })

  it.each([
    ['more journeys than others', [...numbered('journeys', 5), ...numbered('node', 2)]],
    ['journeys alone', numbered('journeys', 2)],
  ])('has each once with %s', (_, given) => {
    expect(order(given).toSorted()).toEqual(given.map(({ file }) => file).toSorted())
  })
})
