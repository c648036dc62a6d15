import { expect, it } from 'vitest'
import { textTable } from '../../../../client/src/cli/terminal/text-table.ts'

const columns = [{ heading: 'VIDEO' }, { heading: 'NAME', isCut: true }]

it('cuts names on a narrow terminal, and nothing in a pipe', () => {
  const rows = [['v_12345678', 'a talk with a long name']]
  expect(textTable(columns, rows, 25)).toBe('VIDEO       NAME\nv_12345678  a talk with …')
  expect(textTable(columns, rows, undefined)).toContain('a talk with a long name')
})

it('keeps names on their lines', () => {
  expect(textTable(columns, [['v_1', 'a\u001b[2Jb\nc']], undefined)).toBe(
    'VIDEO  NAME\nv_1    a\\u001b[2Jb c',
  )
})
