import { expect, it } from 'vitest'
import { useOutputs } from '../../../support/containers/outputs.ts'
import { packetHashes } from '../../../support/containers/run-tool.ts'
import { makeVideo } from '../../../support/node/fixtures.ts'

const { made } = useOutputs()

const text = {
  type: 'text',
  text: 'Welcome',
  timing: { startTime: 0.5, endTime: 2 },
  effects: { fadeIn: { duration: 0.5 }, fadeOut: { duration: 0.4 } },
}
const words = { source: { text: '1\n00:00:00,200 --> 00:00:02,000\nThe same words in each\n' } }

const edit = {
  removeSegments: [{ startTime: 0.5, endTime: 0.9 }],
  compressionQuality: 20,
  elements: [text],
  captions: words,
}

const outputs = [
  { name: 'web' },
  { name: 'phone', aspectRatio: '9:16', captions: { style: 'box' } },
  { name: 'vp9', outputFormat: 'webm', height: 64 },
]

const encodes = ({ args }: { args: readonly string[] }) =>
  args.includes('libx264') || args.includes('libvpx-vp9')

it('makes the very films of several outputs together that jobs of their own make', async () => {
  const files = [
    await makeVideo({ seconds: 1.2, size: '160x90' }),
    await makeVideo({ seconds: 1.2, size: '90x160' }),
  ]
  const { end, file } = await made(files, { ...edit, outputs })
  // A look at all of them, and the encode of all of them.
  const { commands } = end.trace
  expect(commands.filter(encodes)).toHaveLength(2)
  // What was only looked at is not measured: its index tells how many bytes it has.
  const asked = commands.filter(({ program }) => program === 'ffprobe')
  expect(asked.filter(({ args }) => args.at(-1)?.includes('look'))).toEqual([])
  for (const output of outputs.slice(1)) {
    const alone = await made(files, { ...edit, outputs: [output] })
    const [ours, theirs] = [await file(output.name), await alone.file(output.name)]
    for (const stream of ['0:v', '0:a']) {
      expect(await packetHashes(ours, stream), `${output.name} ${stream}`).toEqual(
        await packetHashes(theirs, stream),
      )
    }
  }
})

it('encodes a film again by itself that became larger than its source', async () => {
  const source = await makeVideo({ seconds: 3, size: '320x180' })
  const { end, bytes } = await made([source], {
    rotate: 180,
    outputs: [{ name: 'web' }, { name: 'small', height: 90 }],
  })
  const runs = end.trace.commands.filter(encodes)
  expect(runs.length).toBeGreaterThan(1)
  expect(bytes('small')).toBeLessThan(bytes('web'))
})

it('finds what a look has noted of a film that is encoded beside others than it was looked at', async () => {
  const source = await makeVideo({ seconds: 3, size: '320x180' })
  const { end } = await made([source], {
    rotate: 180,
    outputs: [{ name: 'vp9', outputFormat: 'webm', height: 64 }, { name: 'web' }],
  })
  const { commands } = end.trace
  // A look at it, and its encode by what that has told.
  expect(commands.filter(({ args }) => args.includes('libx264'))).toHaveLength(2)
  expect(commands.filter(({ exitCode }) => exitCode !== 0)).toEqual([])
})
