import { expect, it, vi } from 'vitest'
import { memoryOf, uploadMemory } from '../../../../worker/upload/upload-memory.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { standInQueue } from '../../../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../../../support/worker/media-workers.ts'
import {
  aFile,
  formOf,
  nothing,
  leftBehind,
  sendForm,
} from '../../../support/worker/forms/upload-form.ts'

standInMediaWorkers()
standInQueue()

/** The Worker looks for free memory every 100 ms. Here it waits as often, but not as long. */
function hurry(): void {
  const later = globalThis.setTimeout
  const sooner = (run: () => void, ms = 0) => later(run, ms === 100 ? 0 : ms)
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(sooner as typeof setTimeout)
}

it('a form that finds no memory is refused unread, and accepted when it is sent again', async () => {
  hurry()
  const client = await aClient()
  const holds = ['a', 'a', 'a', 'a', 'b'].map((accountId) =>
    uploadMemory.take({ accountId, bytes: memoryOf(undefined), until: Infinity }, Date.now()),
  )
  expect(holds).not.toContain(undefined)
  let asked = 0
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (asked++ > 0) return controller.close()
      controller.enqueue(formOf([aFile()]))
    },
  })
  const refused = await sendForm(client, body)
  expect(refused.status).toBe(503)
  expect(refused.headers.get('Retry-After')).toBe('5')
  expect(refused.json).toMatchObject({ error: 'ServiceUnavailable', retryAfter: 5 })
  expect(await leftBehind(client)).toEqual(nothing)
  for (const hold of holds) hold?.release()
  expect((await sendForm(client, formOf([aFile()]))).status).toBe(202)
})
