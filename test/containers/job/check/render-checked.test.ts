import { expect, it } from 'vitest'
import { makeChecked } from '../../../../containers/job/check/render-checked.ts'
import type { JobContext } from '../../../../containers/job/job-context.ts'

it('keeps a result that it could not check, and says so', async () => {
  const lines: string[] = []
  const context = {
    tools: { signal: new AbortController().signal },
    log: (_level: string, line: string) => lines.push(line),
  } as unknown as JobContext
  const look = () => Promise.reject(new Error('no memory'))
  const { made, checks } = await makeChecked(context, () => Promise.resolve({ made: 'film', look }))
  expect(made).toBe('film')
  expect(checks).toMatchObject([
    { result: 'warned', message: expect.stringContaining('could not check') as string },
  ])
  expect(lines).toEqual(['A result could not be checked'])
})
