import { expect, it, onTestFinished, vi } from 'vitest'
import { DiskHold } from '../../../worker/service/limits/disk-room.ts'
import { BucketSink } from '../../../worker/upload/file-sinks.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'

it('BucketSink gives up on a bucket that never answers, and gives its memory back', async () => {
  const { accountId } = await aClient()
  const never = async () => new Promise<never>(() => undefined)
  const silent = { uploadPart: never, complete: never, abort: never }
  const resumed = vi.spyOn(prototypeOf(bindings.BUCKET), 'resumeMultipartUpload')
  resumed.mockReturnValue(silent as unknown as R2MultipartUpload)
  onTestFinished(() => resumed.mockRestore())
  const sink = new BucketSink(bindings, { accountId, declaredBytes: 0 }, new DiskHold(bindings), 10)
  await sink.begin({ fileName: 'a.mp4', format: 'mp4' })
  const giveBack = vi.fn()
  await sink.write({ bytes: new Uint8Array(8), giveBack })
  await expect(sink.finish()).rejects.toMatchObject({ code: 'StorageError' })
  expect(giveBack).toHaveBeenCalledOnce()
  await sink.drop()
})
