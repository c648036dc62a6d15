import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { inputFile, pipeAll, streamOf } from '../../../../../containers/graph/filter-graph.ts'
import {
  complaintsIn,
  makeInSmall,
} from '../../../../../containers/job/check/shown/make-in-small.ts'
import type { JobContext } from '../../../../../containers/job/job-context.ts'
import { aToolContext } from '../../../../support/containers/tool-context.ts'
import { makeVideo } from '../../../../support/node/fixtures.ts'

it('sends the commands of one place to no other place', async () => {
  const tools = await aToolContext()
  await copyFile(await makeVideo({ seconds: 1, size: '64x64' }), path.join(tools.folder, 'in0'))
  const become = (value: number) =>
    pipeAll(streamOf(inputFile('in0', 'mov'), 'video', 0), [
      ['sendcmd', { c: `0.5 lutyuv@element0 y ${value};` }],
      ['lutyuv@element0', { y: '128' }],
    ])
  const made = await makeInSmall(
    { tools, log: () => undefined } as unknown as JobContext,
    [40, 200].map((value) => ({ stream: become(value) })),
    { grid: { width: 16, height: 16 }, timing: undefined },
  )
  const last = made?.pictures.map((all) => all.at(-1)?.[0])
  expect(last).toEqual([40, 200])
})

it.each([
  ['[gif @ 0x55a5] invalid block label\n    Last message repeated 2 times\n', []],
  ['[h264 @ 0x55a5] no frame!\n', ['[h264 @ 0x55a5] no frame!']],
])('takes a complaint about a GIF for none about the film: %j', (stderr, expected) => {
  expect(complaintsIn(stderr)).toEqual(expected)
})
