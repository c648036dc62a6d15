import { expect, it } from 'vitest'
import { follow, type Outcome } from '../../../../containers/job/render/render-try.ts'
import { inBytes } from '../../../../containers/job/render/in-bytes.ts'

it('fails with the size that is possible if no encode becomes that small', async () => {
  const planFor = ({ fitBytes = 0 }) => ({ codec: 'h264', fitBytes })
  const film = { plan: planFor({}), planFor, notes: 'notes' } as unknown as Parameters<
    typeof inBytes
  >[0]
  const sizes: number[] = []
  const made = follow(inBytes(film, { maxBytes: 10_000, hasRate: true }), async ({ plan }) => {
    const { fitBytes } = plan as unknown as { fitBytes: number }
    const sizeBytes = Math.max(23_456, fitBytes)
    sizes.push(sizeBytes)
    return Promise.resolve({ result: { facts: { sizeBytes } } } as unknown as Outcome)
  })
  await expect(made).rejects.toMatchObject({
    ...{ reason: 'output_too_large', retryable: false },
    message: expect.stringMatching(
      /^maxBytes: the result cannot be made that small; it has at least 23456 bytes/,
    ) as string,
  })
  // A size that does not follow is not tried again and again.
  expect(sizes).toEqual([23_456, 23_456])
})
