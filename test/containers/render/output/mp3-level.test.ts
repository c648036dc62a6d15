import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { runGraph } from '../../../../containers/ffmpeg/process/run-ffmpeg.ts'
import { inputFile, streamOf } from '../../../../containers/graph/filter-graph.ts'
import { levelForMp3 } from '../../../../containers/render/output/mp3-level.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { ebur128 } from '../../../support/containers/sound/ebur128.ts'

describe('levelForMp3', () => {
  it.each([64, 128, 160, 192, 224, 256])('keeps the level at %s kbit/s', async (kilobits) => {
    const file = await makeFile('wav', ['-f', 'lavfi', '-i', 'sine=f=440:r=48000:d=3'])
    const tools = await aToolContext()
    const stream = levelForMp3(streamOf(inputFile(file, 'wav'), 'audio', 0), kilobits)
    const coding = ['-c:a', 'libmp3lame', '-b:a', `${kilobits}k`, '-ac', '1']
    await runGraph(tools, { tracks: [{ stream, coding }], muxing: ['-f', 'mp3'], path: 'out.mp3' })
    const [before, after] = [await ebur128(file), await ebur128(path.join(tools.folder, 'out.mp3'))]
    expect(after.loudness).toBeCloseTo(before.loudness, 1)
  })
})
