import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { fileName, outputPath } from '../../../../client/src/cli/transfer/output-file.ts'
import { directoryForAll } from '../../../support/node/directories.ts'

const folder = directoryForAll()
beforeAll(async () => {
  await writeFile(path.join(folder, 'talk.mp4'), '')
  await writeFile(path.join(folder, 'talk-2.mp4'), '')
})

const video = { videoName: 'talk', videoId: 'v_12345678', outputFormat: 'mp4' } as const

describe('where a result goes', () => {
  it('is the place that was named, or a free name in the folder that was named', async () => {
    const place = { given: path.join(folder, 'talk.mp4'), isForced: true }
    expect(await outputPath(place, video)).toBe(place.given)
    const inFolder = { given: folder, isForced: false }
    expect(await outputPath(inFolder, video)).toBe(path.join(folder, 'talk-3.mp4'))
    const forced = { given: folder, isForced: true }
    expect(await outputPath(forced, video)).toBe(path.join(folder, 'talk.mp4'))
  })

  it('never leaves the folder, whatever a video is called', () => {
    expect(fileName({ ...video, videoName: '../../etc/passwd' })).toBe('_.._etc_passwd')
    expect(fileName({ ...video, videoName: '-rf \u0000*' })).toBe('rf __')
    expect(fileName({ ...video, videoName: '...' })).toBe('v_12345678')
  })
})
