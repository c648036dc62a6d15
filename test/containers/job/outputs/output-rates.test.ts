import { describe, expect, it } from 'vitest'
import { useOutputs } from '../../../support/containers/outputs.ts'
import { listed, probe } from '../../../support/containers/run-tool.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const { made } = useOutputs()

/** What a camera sees: detail that moves, and noise; in far more bytes than any of these outputs may have. */
async function footage(seconds: number): Promise<string> {
  const picture = `testsrc2=s=160x90:r=25:d=${seconds},noise=alls=12:allf=t`
  const sound = `sine=f=300:d=${seconds}`
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound]
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '8', '-pix_fmt', 'yuv420p']
  return makeFile('mp4', [...inputs, ...coding, '-c:a', 'aac'])
}

it('has the codec that an output asks for, in each container that takes it, with all pictures, and copies what has it and is small enough', async () => {
  const coded = [
    { name: 'hevc', videoCodec: 'hevc' },
    { name: 'av1', videoCodec: 'av1' },
    { name: 'vp9', videoCodec: 'vp9' },
    { name: 'mov', outputFormat: 'mov', videoCodec: 'hevc' },
    { name: 'tiny', outputFormat: 'webm', videoCodec: 'av1', width: 48, height: 32 },
  ].map((output) => ({ ...output, compressionQuality: 40 }))
  const copied = [{ name: 'same', videoCodec: 'h264', maxBytes: 50_000_000 }]
  const { end, file } = await made([await footage(1)], { outputs: [...coded, ...copied] })
  const found = await Promise.all(
    coded.map(async ({ name }) => {
      const [video] = (await probe(await file(name))).streams
      return [video?.['codec_name'], video?.['codec_tag_string'], video?.['nb_read_frames']]
    }),
  )
  expect(found).toEqual([
    ['hevc', 'hvc1', '25'],
    ['av1', 'av01', '25'],
    ['vp9', 'vp09', '25'],
    ['hevc', 'hvc1', '25'],
    ['av1', '[0][0][0][0]', '25'],
  ])
  const outputs = [
    ...coded.map(({ name }) => ({ name, plan: { picture: 'encoded' } })),
    { name: 'same', plan: { picture: 'copied' } },
  ]
  expect(end).toMatchObject({ trace: { plan: { outputs } } })
})

describe('maxBytes of an output', () => {
  it('is never exceeded, and nearly used where the source has more', async () => {
    const outputs = [
      { name: 'h264', maxBytes: 40_000 },
      { name: 'small', maxBytes: 20_000, width: 80 },
      { name: 'hevc', maxBytes: 40_000, videoCodec: 'hevc' },
      { name: 'av1', maxBytes: 20_000, videoCodec: 'av1' },
      { name: 'avi', maxBytes: 60_000, outputFormat: 'avi' },
    ]
    const { bytes } = await made([await footage(1)], { outputs })
    for (const { name, maxBytes } of outputs) {
      const share = bytes(name) / maxBytes
      expect(share, name).toBeLessThanOrEqual(1)
      expect(share, name).toBeGreaterThan(0.92)
    }
  })

  it('is kept by a WebM without sound, whose first run over the pictures writes none', async () => {
    const silent = await makeFile('mp4', ['-i', await footage(1), '-an', '-c', 'copy'])
    const maxBytes = 40_000
    const outputs = [{ name: 'vp9', maxBytes, outputFormat: 'webm' }]
    const { bytes } = await made([silent], { outputs })
    expect(bytes('vp9')).toBeLessThanOrEqual(maxBytes)
    expect(bytes('vp9')).toBeGreaterThan(0.92 * maxBytes)
  })
})

it('exceeds maxBitrate in no second of an output', async () => {
  const outputs = [
    { name: 'h264', maxBitrate: 300_000 },
    { name: 'vp9', maxBitrate: 300_000, outputFormat: 'webm' },
    { name: 'both', maxBitrate: 300_000, maxBytes: 40_000 },
  ]
  const { file, bytes } = await made([await footage(1.5)], { outputs })
  for (const { name, maxBitrate } of outputs) {
    expect(await mostInASecond(await file(name)), name).toBeLessThanOrEqual(maxBitrate)
  }
  expect(bytes('both')).toBeLessThanOrEqual(40_000)
})

/** The bits of the packets of any second, picture and sound together. */
async function mostInASecond(file: string): Promise<number> {
  const lines = await listed(file, 'packet=pts_time,size', [])
  const packets = lines.map((line) => line.split(',').map(Number))
  const from = packets.map(([at = 0]) => at)
  return Math.max(
    ...from.map((begin) =>
      packets.reduce(
        (bits, [at = 0, size = 0]) => bits + (at >= begin && at < begin + 1 ? size * 8 : 0),
        0,
      ),
    ),
  )
}
