import { beforeEach, describe, expect, it, vi } from 'vitest'
import { sweepOrphans } from '../../../worker/queue/sweep-orphans.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { aFinishedVideo, aRunningVideo, objectKeys } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

const sweep = async () => sweepOrphans(bindings, Date.now())
const put = async (key: string) => bindings.BUCKET.put(key, 'x')

beforeEach(async () => {
  await bindings.DB.exec('DELETE FROM sweep_walks')
})

describe('sweepOrphans', () => {
  it('removes objects that no row refers to, and nothing else', async () => {
    const { client, videoId } = await aFinishedVideo(undefined, { enableThumbnail: true })
    const referred = await objectKeys(videoId)
    const running = await aRunningVideo(client)
    await put(`videos/${videoId}/out/7/final.mp4`)
    await put(`videos/${running.videoId}/out/1/final.mp4`)
    await put('videos/v_gone0000/out/1/final.mp4')
    await put('uploads/u_other/file')
    advanceSeconds(86_500)
    await sweep()
    expect(await objectKeys(videoId)).toEqual(referred)
    expect(await objectKeys(running.videoId)).toHaveLength(1)
    expect(await objectKeys('v_gone0000')).toEqual([])
    expect(await bindings.BUCKET.head('uploads/u_other/file')).not.toBeNull()
  })

  it('leaves objects younger than a day alone, because a row may still come to refer to them', async () => {
    await put('videos/v_young000/out/1/final.mp4')
    await sweep()
    expect(await objectKeys('v_young000')).toHaveLength(1)
  })

  it('walks once a day, a few pages per tick, and continues where it stopped', async () => {
    for (let i = 0; i < 5; i++) await put(`videos/v_page000${i}/out/1/final.mp4`)
    advanceSeconds(86_500)
    const list = vi.spyOn(prototypeOf(bindings.BUCKET), 'list')
    const real = list.getMockImplementation()
    expect(real).toBeUndefined()
    const asked: (string | undefined)[] = []
    list.mockImplementation(async function (this: R2Bucket, options?: R2ListOptions) {
      asked.push(options?.cursor)
      list.mockRestore()
      const page = await bindings.BUCKET.list({ ...options, limit: 1 })
      watchAgain()
      return page
    })
    const implementation = list.getMockImplementation()
    function watchAgain() {
      if (implementation)
        vi.spyOn(prototypeOf(bindings.BUCKET), 'list').mockImplementation(implementation)
    }
    await sweep()
    expect(asked).toHaveLength(4)
    await sweep()
    expect(asked[4]).toBeDefined()
    vi.restoreAllMocks()
    for (let i = 0; i < 5; i++) expect(await objectKeys(`v_page000${i}`)).toEqual([])
  })

  it('does nothing more until the next day', async () => {
    await sweep()
    const list = vi.spyOn(prototypeOf(bindings.BUCKET), 'list')
    advanceSeconds(86_399)
    await sweep()
    expect(list).not.toHaveBeenCalled()
    advanceSeconds(2)
    await sweep()
    expect(list).toHaveBeenCalled()
  })
})
