import { expect, it } from 'vitest'
import { BrokenResult } from '../../../../containers/errors/broken-result.ts'
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

const quiet = {
  tools: { signal: new AbortController().signal },
  log: () => undefined,
} as unknown as JobContext
const broken = new BrokenResult('Its size of 320 × 180', new Error('A box is cut off'))

it('makes a result again that cannot be read, in the safer way', async () => {
  const passed = { name: 'length', result: 'passed', message: 'As planned.' } as const
  const { made, checks } = await makeChecked(quiet, (fault) =>
    fault
      ? Promise.resolve({ made: fault.name, look: () => Promise.resolve([passed]) })
      : Promise.reject(broken),
  )
  expect(made).toBe('decoding')
  expect(checks).toEqual([passed])
})

it('fails with what cannot be read if that comes out twice', async () => {
  const job = makeChecked(quiet, () => Promise.reject(broken))
  await expect(job).rejects.toMatchObject({
    ...{
      reason: 'check_failed',
      message: expect.stringMatching(/^decoding: .*320 × 180/) as string,
    },
    proof: { checks: [{ name: 'decoding', result: 'failed' }] },
  })
})
