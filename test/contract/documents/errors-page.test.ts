import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { errorTable } from '../../../worker/contract/answers/errors.ts'
import { failureReasons } from '../../../worker/contract/job/report.ts'

it('docs/errors.md explains every code with its status, and every reason, and no others', async () => {
  const text = await readFile(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  const page = text.replaceAll(/ +/g, ' ')
  const codes = [...page.matchAll(/^\| `([A-Z]\w+)` \| (\d{3}) \| .+ \| .+ \|$/gm)]
  expect(codes.map(([, code, status]) => [code, Number(status)])).toEqual(
    Object.entries(errorTable).map(([code, { status }]) => [code, status]),
  )
  const reasons = [...page.matchAll(/^\| `(?!error`|reason`)([a-z_]+)` \| .+ \| .+ \|$/gm)]
  expect(reasons.map(([, reason]) => reason)).toEqual([...failureReasons])
})
