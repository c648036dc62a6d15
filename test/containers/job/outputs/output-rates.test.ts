import { describe, expect, it } from 'vitest'
import { useOutputs } from '../../../support/containers/outputs.ts'
import { listed, probe } from '../../../support/containers/run-tool.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const made = useOutputs()

/** What a camera sees: detail that moves, and noise; in far more bytes than any of these outputs may have. */
async function footage(seconds: number, size = '320x180'): Promise<string> {
  const picture = `testsrc2=s=${size}:r=25:d=${seconds},noise=alls=12:allf=t`
  const sound = `sine=f=300:d=${seconds}`
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound]
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '8', '-pix_fmt', 'yuv420p']
  return makeFile('mp4', [...inputs, ...coding, '-c:a', 'aac'])
}

describe('the codec of an output', () => {
  it('is the one that it asks for, in each container that takes it, with all pictures', async () => {
    const outputs = [
      { name: 'hevc', videoCodec: 'hevc' },
      { name: 'av1', videoCodec: 'av1' },
      { name: 'vp9', videoCodec: 'vp9' },
      { name: 'mov', outputFormat: 'mov', videoCodec: 'hevc' },
      { name: 'tiny', outputFormat: 'webm', videoCodec: 'av1', width: 48, height: 32 },
    ]
    const { file } = await made([await footage(1)], { compressionQuality: 60, outputs })
    const found = await Promise.all(
      outputs.map(async ({ name }) => {
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
  })

  it('is copied where the source has it, and encoded where it does not', async () => {
    const { end } = await made([await footage(1)], {
      outputs: [
        { name: 'same', videoCodec: 'h264' },
        { name: 'other', videoCodec: 'hevc' },
      ],
    })
    expect(end).toMatchObject({
      trace: {
        plan: {
          outputs: [
            { name: 'same', plan: { picture: 'copied' } },
            { name: 'other', plan: { picture: 'encoded' } },
          ],
        },
      },
    })
  })
})

describe('maxBytes of an output', () => {
  it('is never exceeded, and nearly used where the source has more', async () => {
    const outputs = [
      { name: 'h264', maxBytes: 75_000 },
      { name: 'small', maxBytes: 30_000, width: 160 },
      { name: 'hevc', maxBytes: 75_000, videoCodec: 'hevc' },
      { name: 'av1', maxBytes: 75_000, videoCodec: 'av1' },
      { name: 'avi', maxBytes: 100_000, outputFormat: 'avi' },
    ]
    const { bytes } = await made([await footage(2)], { outputs })
    for (const { name, maxBytes } of outputs) {
      const share = bytes(name) / maxBytes
      expect(share, name).toBeLessThanOrEqual(1)
      expect(share, name).toBeGreaterThan(0.92)
    }
  })

  it('is kept by a WebM without sound, whose first run over the pictures writes none', async () => {
    const silent = await makeFile('mp4', ['-i', await footage(2), '-an', '-c', 'copy'])
    const maxBytes = 75_000
    const outputs = [{ name: 'vp9', maxBytes, outputFormat: 'webm' }]
    const { bytes } = await made([silent], { outputs })
    expect(bytes('vp9')).toBeLessThanOrEqual(maxBytes)
    expect(bytes('vp9')).toBeGreaterThan(0.92 * maxBytes)
  })

  it('leaves a source as it is that has fewer bytes', async () => {
    const source = await footage(1)
    const { end } = await made([source], { outputs: [{ name: 'web', maxBytes: 50_000_000 }] })
    expect(end).toMatchObject({
      trace: { plan: { outputs: [{ plan: { picture: 'copied' } }] } },
    })
  })

  it('fails with the size that is possible if no encode becomes that small', async () => {
    const { end } = await made([await footage(2, '640x360')], {
      outputs: [{ name: 'web', maxBytes: 10_000 }],
    })
    expect(end).toMatchObject({ type: 'failed', reason: 'output_too_large', retryable: false })
    expect(end.type === 'failed' && end.message).toMatch(
      /^outputs\[0\] \(web\): maxBytes: the result cannot be made that small; it has at least \d+ bytes/,
    )
  })
})

describe('maxBitrate of an output', () => {
  it('is exceeded by no second of it', async () => {
    const outputs = [
      { name: 'h264', maxBitrate: 600_000 },
      { name: 'vp9', maxBitrate: 600_000, outputFormat: 'webm' },
      { name: 'both', maxBitrate: 600_000, maxBytes: 75_000 },
    ]
    const { file, bytes } = await made([await footage(2)], { outputs })
    for (const { name, maxBitrate } of outputs) {
      expect(await mostInASecond(await file(name)), name).toBeLessThanOrEqual(maxBitrate)
    }
    expect(bytes('both')).toBeLessThanOrEqual(75_000)
  })
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
