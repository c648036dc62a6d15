import { describe, expect, it } from 'vitest'
import { campaign, campaignAfter } from '../../support/node/campaign.ts'
import { makeFile } from '../../support/node/fixtures.ts'
import { plainVideo } from '../../support/containers/films/element-files.ts'
import { colorDistance, firstFrame, rgbOf } from '../../support/containers/films/frame-pixels.ts'
import { renderVideo } from '../../support/containers/films/render-video.ts'

const tags = (transfer: string): string[] => [
  ...['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc'],
]

/** An orange in high dynamic range; its right half is transparent, or just the same. */
async function hdrOrange(transfer: string, isTransparent: boolean): Promise<string> {
  const size = 'color=c=black:s=64x64:r=25:d=0.2'
  const planes = "lum='560':cb='400':cr='620'"
  const picture = isTransparent
    ? `${size},format=yuva444p10le,geq=${planes}:a='if(lt(X,32),1023,0)'`
    : `${size},format=yuv444p10le,geq=${planes}`
  const coding = ['-c:v', 'prores_ks', '-profile:v', '4444', '-alpha_bits', '16']
  return makeFile('mov', ['-f', 'lavfi', '-i', picture, ...coding, ...tags(transfer)])
}

const full = {
  type: 'video',
  url: 'https://a.example/x.mov',
  size: { width: '100%', height: '100%' },
}

for (const [i, transfer] of ['smpte2084', 'arib-std-b67'].entries()) {
  describe(`transparent footage in ${transfer}`, { tags: campaignAfter(1, i) }, () =>
    footageIn(transfer),
  )
}

function footageIn(transfer: string): void {
  it('keeps its colours when it is laid over a video', async () => {
    const below = await plainVideo('#2040c0', 0.2, { size: '64x64' })
    const asked = { elements: [full], compressionQuality: 100 }
    const above = await hdrOrange(transfer, true)
    const whole = await hdrOrange(transfer, false)
    const laid = await firstFrame((await renderVideo([{ file: below }], asked, [above])).file)
    const opaque = await firstFrame((await renderVideo([{ file: below }], asked, [whole])).file)
    expect(colorDistance(opaque.at(12, 32), rgbOf('#2040c0'))).toBeGreaterThan(40)
    expect(colorDistance(laid.at(12, 32), opaque.at(12, 32))).toBeLessThan(8)
    expect(colorDistance(laid.at(52, 32), rgbOf('#2040c0'))).toBeLessThan(8)
  })

  campaign('is shown on the background colour when it is the source', async () => {
    const source = await hdrOrange(transfer, true)
    const opaque = await renderVideo([{ file: await hdrOrange(transfer, false) }], {
      compressionQuality: 90,
    })
    const { file } = await renderVideo([{ file: source }], {
      compressionQuality: 90,
      backgroundColor: '#20c040',
    })
    const frame = await firstFrame(file)
    const wanted = (await firstFrame(opaque.file)).at(12, 32)
    expect(colorDistance(frame.at(12, 32), wanted)).toBeLessThan(8)
    expect(colorDistance(frame.at(52, 32), rgbOf('#20c040'))).toBeLessThan(8)
  })
}
