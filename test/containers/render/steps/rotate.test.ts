import { describe, expect, it } from 'vitest'
import { openClip } from '../../../../containers/render/frame/open-clip.ts'
import { planClips } from '../../../support/containers/films/plan-clips.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'
import { campaign, campaignAfter } from '../../../support/node/campaign.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { someFacts } from '../../../support/containers/films/facts.ts'
import {
  colorDistance,
  firstFrame,
  framesOf,
  rgbOf,
  type Frame,
} from '../../../support/containers/films/frame-pixels.ts'
import { quarters } from '../../../support/containers/films/quarters.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { probe } from '../../../support/containers/run-tool.ts'

const caps = { threads: 2, maxPixels: 40_000_000, maxOutputBytes: 1e9 }

const names = { red: '#ff0000', lime: '#00ff00', blue: '#0000ff', white: '#ffffff' } as const

/** The colours of the corners, row by row, as far as they are those of `quarters`. */
function cornersOf(frame: Frame): string[] {
  const [right, bottom] = [frame.width - 5, frame.height - 5]
  const corners = [frame.at(4, 4), frame.at(right, 4), frame.at(4, bottom), frame.at(right, bottom)]
  return corners.map((seen) => {
    const found = Object.entries(names).find(([, is]) => colorDistance(seen, rgbOf(is)) < 40)
    return found?.[0] ?? seen.join()
  })
}

function plan(size: string, asked: Record<string, unknown>, count = 1) {
  const [width = 0, height = 0] = size.split('x').map(Number)
  const facts = someFacts({ video: { width, height } })
  const open = (i: number) => openClip(`in${i}`, facts, {})
  const others = Array.from({ length: count - 1 }, (_, i) => open(i + 1))
  return planClips([open(0), ...others], optionsSchema.parse(asked), caps)
}

describe('rotate', () => {
  // The clips in a row below are turned by 180 degrees.
  for (const [i, [rotate, size, corners]] of (
    [
      [90, '32x64', ['blue', 'red', 'white', 'lime']],
      [270, '32x64', ['lime', 'white', 'red', 'blue']],
      [180, '64x32', ['white', 'blue', 'lime', 'red']],
    ] as const
  ).entries()) {
    it(
      `turns the picture by ${rotate} degrees clockwise`,
      { tags: campaignAfter(2, i) },
      async () => {
        const { file, plan, described } = await renderVideo([{ file: await quarters() }], {
          rotate,
        })
        const frame = await firstFrame(file)
        expect([`${frame.width}x${frame.height}`, cornersOf(frame)]).toEqual([size, corners])
        expect([plan.video, described.steps]).toEqual(['encode', ['rotate']])
        const { streams } = await probe(file)
        expect(streams[0]).not.toHaveProperty('side_data_list')
        expect(streams[0]).toMatchObject({ sample_aspect_ratio: '1:1' })
      },
    )
  }

  it('does nothing at 0 degrees', () => {
    const { video, steps } = plan('320x240', { rotate: 0 })
    expect([video, steps]).toEqual(['copy', []])
  })

  it.each([1, 2, 3])('gives the turned picture its shape: %i clips', (count) => {
    const sizeOf = (size: string, asked: Record<string, unknown>) => {
      const { width, height } = plan(size, { combine: count > 1, ...asked }, count)
      return `${width}x${height}`
    }
    expect(sizeOf('1080x1920', { rotate: 90 })).toBe('1920x1080')
    expect(sizeOf('1080x1920', { rotate: 90, aspectRatio: '16:9' })).toBe('1920x1080')
    expect(sizeOf('1080x1920', { rotate: 270, aspectRatio: '9:16' })).toBe('608x1080')
    expect(sizeOf('1920x1080', { rotate: 90, aspectRatio: '1:1', resizeMode: 'contain' })).toBe(
      '1920x1920',
    )
    expect(sizeOf('321x241', { rotate: 90, aspectRatio: '1:1' })).toBe('240x240')
  })

  it('turns each clip before it is joined with others of another size', async () => {
    const sources = [{ file: await quarters('64x32') }, { file: await quarters('32x64') }]
    const { file, plan, described } = await renderVideo(sources, { rotate: 90 })
    const frames = await framesOf(file)
    expect([plan.width, plan.height, frames.length]).toEqual([32, 64, 10])
    expect(frames.slice(0, 1).map(cornersOf)).toEqual([['blue', 'red', 'white', 'lime']])
    // The second clip lies in the upright frame, with bars above and below.
    const last = frames.at(-1)
    expect(last && colorDistance(last.at(16, 4), rgbOf('#000000'))).toBeLessThan(20)
    expect(last && colorDistance(last.at(6, 28), rgbOf(names.blue))).toBeLessThan(40)
    expect(last && colorDistance(last.at(26, 36), rgbOf(names.lime))).toBeLessThan(40)
    expect(described.steps).toEqual(['rotate', 'join-sources'])
  })

  campaign('turns footage of a phone after making it upright', async () => {
    const lying = await quarters()
    const phone = await makeFile('mp4', ['-i', lying, '-c', 'copy', '-metadata:s:v', 'rotate=90'])
    const upright = await renderVideo([{ file: phone }], { compressionQuality: 90 })
    expect(cornersOf(await firstFrame(upright.file))).toEqual(['lime', 'white', 'red', 'blue'])
    const { file } = await renderVideo([{ file: phone }], { rotate: 90 })
    const frame = await firstFrame(file)
    expect([frame.width, frame.height]).toEqual([64, 32])
    expect(cornersOf(frame)).toEqual(['red', 'lime', 'blue', 'white'])
  })

  for (const [i, format] of ['webm', 'avi'].entries()) {
    const title = `turns a video that is cut and becomes ${format}, and keeps an element on it upright`
    it(title, { tags: campaignAfter(1, i) }, async () => expectTurned(format))
  }

  async function expectTurned(format: string): Promise<void> {
    const logo = await makeFile('png', [
      ...['-f', 'lavfi', '-i', 'color=black:s=16x8:d=1,drawbox=w=8:c=white:t=fill'],
      ...['-frames:v', '1'],
    ])
    const { file } = await renderVideo(
      [{ file: await quarters() }],
      {
        rotate: 90,
        outputFormat: format,
        removeSegments: [{ startTime: 0, endTime: 0.08 }],
        elements: [
          {
            type: 'image',
            url: 'https://example.com/logo.png',
            position: { anchor: 'bottom-left' },
          },
        ],
      },
      [logo],
    )
    const frames = await framesOf(file)
    expect(frames.map(({ width, height }) => `${width}x${height}`)).toEqual(
      Array.from({ length: 3 }, () => '32x64'),
    )
    const [frame] = frames
    expect(frame && colorDistance(frame.at(4, 60), rgbOf('#ffffff'))).toBeLessThan(40)
    expect(frame && colorDistance(frame.at(12, 60), rgbOf('#000000'))).toBeLessThan(40)
    expect(frame && colorDistance(frame.at(24, 60), rgbOf(names.lime))).toBeLessThan(60)
  }
})
