import { describe, expect, it, vi } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { standInQueue } from '../../../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../../../support/worker/media-workers.ts'
import { aFile, clip, upload } from '../../../support/worker/upload-form.ts'
import { rowOf } from '../../../support/worker/videos.ts'

standInMediaWorkers()
standInQueue()

describe('the file of an upload', () => {
  it('is recognised by its first 48 bytes', async () => {
    expect(clip.length).toBe(48)
    expect((await upload(await aClient(), [aFile()])).status).toBe(202)
  })

  it('may be sent without a name', async () => {
    const parts = [{ name: 'file', content: clip }]
    expect((await upload(await aClient(), parts)).status).toBe(202)
  })

  it('is checked before R2 is called', async () => {
    const begin = vi.spyOn(prototypeOf(bindings.BUCKET), 'createMultipartUpload')
    await upload(await aClient(), [aFile('#EXTM3U\n')])
    expect(begin).not.toHaveBeenCalled()
    begin.mockRestore()
  })
})

describe('the name of an upload', () => {
  it.each([
    ['talk.mp4', 'talk'],
    ['../../x.mp4', 'x'],
    ['C:\\Users\\me\\holiday.mov', 'holiday'],
    ['-clip-.mp4', '-clip-'],
    ['a:b.webm', 'a:b'],
    ['c%d.mp4', 'c%d'],
    ["it's [s].mp4", "it's [s]"],
    ['say \\"cheese\\".mp4', 'say "cheese"'],
    ['say %22cheese%22%0D%0A.mp4', 'say "cheese"'],
    ['🎬 Grüße.mp4', '🎬 Grüße'],
    ['nul\0byte.mp4', 'nulbyte'],
    [`${'x'.repeat(300)}.mp4`, 'x'.repeat(255)],
  ])('%j becomes %j', async (fileName, name) => {
    expect((await rowOf(await upload(await aClient(), [aFile(clip, fileName)]))).name).toBe(name)
  })

  it.each(['', '..', '/', 'folder/'])(
    '%j is not a name, so the video is named by its id',
    async (none) => {
      const row = await rowOf(await upload(await aClient(), [aFile(clip, none)]))
      expect(row.name).toBe(row.id)
    },
  )
})
