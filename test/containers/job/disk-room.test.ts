import { statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { canMount, smallDisk } from '../../support/node/disks/small-disk.ts'
import { readDisk, refuseWithoutRoom, roomLeft } from '../../../containers/job/disk-room.ts'
import { directoryForAll } from '../../support/node/directories.ts'

const mebibyte = 1024 ** 2
const folder = directoryForAll()
const scratch = { folder, minFreeBytes: undefined }

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

it('roomLeft is four fifths of the free disk space, minus what the job has written', async () => {
  await writeFile(path.join(folder, 'in0'), Buffer.alloc(8 * mebibyte))
  const expected = async () => (await freeBytes()) * 0.8 - 8 * mebibyte * 0.2
  // Other programs write to this disk too, and remove their files.
  const before = await expected()
  const left = await roomLeft(scratch)
  const after = await expected()
  expect(left).toBeGreaterThan(Math.min(before, after) - 256 * mebibyte)
  expect(left).toBeLessThan(Math.max(before, after) + 256 * mebibyte)
})

describe.skipIf(!canMount)('roomLeft on a small disk', () => {
  it('leaves half of the reserve to others', async () => {
    const disk = smallDisk(100 * mebibyte)
    const place = { folder: disk.folder, minFreeBytes: 80 * mebibyte }
    expect(await roomLeft(place)).toBe(60 * mebibyte)
    disk.fillExcept(30 * mebibyte)
    expect(await roomLeft(place)).toBe(0)
  })
})

describe.skipIf(!canMount)('readDisk', () => {
  it('counts a disk as full that has space left, but hardly takes any more files', () => {
    const bytes = 10 * mebibyte
    expect(readDisk(smallDisk(bytes).folder)).toEqual({ freeBytes: bytes, totalBytes: bytes })
    expect(readDisk(smallDisk(bytes, 100).folder)).toEqual({ freeBytes: 0, totalBytes: bytes })
  })
})

describe('refuseWithoutRoom', () => {
  it('throws before the work if the disk is too small, as another media worker may have space', async () => {
    const tooMuch = refuseWithoutRoom(scratch, (await freeBytes()) * 0.95)
    await expect(tooMuch).rejects.toMatchObject({ reason: 'out_of_resources', retryable: true })
  })

  it('accepts work that fits', async () => {
    await expect(refuseWithoutRoom(scratch, mebibyte)).resolves.toBeUndefined()
  })
})
