import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { News, Teller } from '../../../../scripts/start/output/news.ts'
import { awaitRoomToStart, DiskWatch } from '../../../../scripts/start/data/watch-disk.ts'
import { canMount, smallDisk } from '../../../support/node/disks/small-disk.ts'
import { temporaryDirectory } from '../../../support/node/directories.ts'

const megabyte = 1_000_000

function listen() {
  const news: News[] = []
  const teller: Teller = { isLive: false, tell: (one) => news.push(one), show: () => undefined }
  return { news, teller }
}

function aWatch(freeBytes: number) {
  const disk = { freeBytes, totalBytes: 1_000 * megabyte }
  const { news, teller } = listen()
  const options = { folder: '/data', reserveBytes: undefined, read: () => disk }
  return { disk, news, watch: new DiskWatch(options, teller) }
}

describe('DiskWatch', () => {
  it('tells once that the disk fills up, that it gets worse, and that it is over', () => {
    const { disk, news, watch } = aWatch(100 * megabyte)
    const levels = [100, 99, 60, 49, 10, 70, 100, 200].map((megabytes) => {
      disk.freeBytes = megabytes * megabyte
      watch.look()
      return watch.level
    })
    expect(levels).toEqual([
      ...['roomy', 'low', 'low', 'scarce', 'scarce'],
      ...['low', 'roomy', 'roomy'],
    ])
    expect(news.map(({ fields }) => fields?.['disk'])).toEqual(['low', 'scarce', 'low', 'roomy'])
    expect(news[0]?.text).toBe(
      'The disk of /data has 99 MB left; 100 MB are kept in reserve. New videos and uploads are refused until there is more; what was accepted goes on.',
    )
  })

  it('says where to look when the disk takes nothing, although it may have room', () => {
    const { disk, news, watch } = aWatch(100 * megabyte)
    disk.freeBytes = 0
    watch.look()
    expect(news[0]?.text).toContain(
      'The disk of /data has nothing left, or takes no more files (df -i); 100 MB are kept in reserve.',
    )
  })

  it('takes the reserve that the operator has set', () => {
    const { teller } = listen()
    const read = () => ({ freeBytes: 5, totalBytes: 1_000 * megabyte })
    const watch = new DiskWatch({ folder: '/data', reserveBytes: 0, read }, teller)
    watch.look()
    expect(watch.level).toBe('roomy')
  })

  it('lets logs take a fiftieth of a small disk, and no more than 20 MiB of a large one', () => {
    const { disk, watch } = aWatch(0)
    disk.totalBytes = 200 * megabyte
    expect(watch.mostLogBytes).toBe(4 * megabyte)
    disk.totalBytes = 200_000 * megabyte
    expect(watch.mostLogBytes).toBe(20 * 1024 * 1024)
  })

  it.each(['ENOSPC', 'EROFS'])('writes again what the disk did not take, once: %s', (code) => {
    const { watch } = aWatch(0)
    const full = Object.assign(new Error('full'), { code })
    let hasRoom = false
    let written = 0
    const write = () => {
      if (!hasRoom) throw full
      written++
    }
    watch.keepWritten(write)
    watch.keepWritten(write)
    hasRoom = true
    watch.look()
    watch.look()
    expect(written).toBe(1)
  })

  it.skipIf(!canMount)('writes a file on a real disk as soon as that has room', () => {
    const disk = smallDisk(megabyte)
    const watch = new DiskWatch({ folder: disk.folder, reserveBytes: 0 }, listen().teller)
    const makeRoom = disk.fillExcept(0)
    const file = path.join(disk.folder, 'dev.json')
    watch.keepWritten(() => writeFileSync(file, '{}'))
    makeRoom()
    watch.keepWritten(() => writeFileSync(`${file}.other`, '{}'))
    expect(disk.freeBytes()).toBeLessThan(megabyte)
  })
})

it('awaitRoomToStart waits until a start can write its files, and says so once', async () => {
  const { news, teller } = listen()
  const frees = [1, 1, 100].map((megabytes) => megabytes * megabyte)
  const read = () => ({ freeBytes: frees.shift() ?? 0, totalBytes: 1_000 * megabyte })
  const folder = path.join(temporaryDirectory(), 'not', 'there')
  const never = new AbortController().signal
  await awaitRoomToStart({ folder, reserveBytes: undefined, read }, teller, never)
  expect(frees).toEqual([])
  expect(news.map(({ text }) => text)).toEqual([
    `The disk of ${folder} is full: it has 1 MB left, and a start needs 8 MB. Waiting until there is room …`,
  ])
})
