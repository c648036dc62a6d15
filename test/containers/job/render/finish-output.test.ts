import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { OutputKind } from '../../../../worker/contract/job/media-job.ts'
import { makeVideo } from '../../../support/node/fixtures.ts'
import { firstFrame } from '../../../support/containers/films/frame-pixels.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'
import { aServiceForAll, runJob } from '../../../support/containers/service-for-all.ts'

const service = aServiceForAll()

/** Asks for a thumbnail with the video. */
async function run(options: Record<string, unknown>, refusedKinds: readonly OutputKind[] = []) {
  const inputs = [service.sources.file(await makeVideo({ seconds: 2 }))]
  return runJob(service.worker, { inputs, options }, { refusedKinds })
}

describe('addThumbnail', () => {
  it('makes a JPEG of the finished video and uploads both', async () => {
    const { receiver, end } = await run({ enableThumbnail: true, aspectRatio: '1:1' })
    expect(end).toMatchObject({
      type: 'succeeded',
      outputs: [{ kind: 'final' }, { kind: 'thumbnail' }],
      warnings: [],
    })
    expect(receiver.outputRequests).toMatchObject([
      { kind: 'final', extension: 'mp4' },
      { kind: 'thumbnail', extension: 'jpg', contentType: 'image/jpeg' },
    ])
    const file = path.join(await aFolder(), 'still.jpg')
    await writeFile(file, receiver.output('thumbnail'))
    const { width, height } = await firstFrame(file)
    expect(width).toBe(height)
    if (end.type !== 'succeeded') throw new Error('Not succeeded')
    expect(end.trace.phases.map(({ name }) => name)).toEqual([
      ...['fetching', 'measuring', 'rendering', 'uploading'],
    ])
  })

  it('makes one for lists of videos when nobody asked for it', async () => {
    const { end } = await run({})
    expect(end).toMatchObject({ outputs: [{ kind: 'final' }, { kind: 'thumbnail' }], warnings: [] })
  })

  it('says nothing when a still that nobody asked for cannot be stored', async () => {
    const { end } = await run({}, ['thumbnail'])
    expect(end).toMatchObject({ outputs: [{ kind: 'final' }], warnings: [] })
  })

  it('lets the video succeed without it, with a warning', async () => {
    const { end } = await run({ enableThumbnail: true }, ['thumbnail'])
    expect(end).toMatchObject({
      type: 'succeeded',
      outputs: [{ kind: 'final' }],
      warnings: ['enableThumbnail: no still could be made of this video.'],
    })
  })
})
