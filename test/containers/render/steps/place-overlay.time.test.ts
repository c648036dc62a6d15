import { describe, expect, it } from 'vitest'
import { easingCurves } from '../../../../containers/render/elements/fade.ts'
import { easings } from '../../../../worker/contract/options/elements/element-fields.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import {
  halfWebm,
  plainImage,
  plainVideo,
  threeColorGif,
} from '../../../support/containers/films/element-files.ts'
import {
  colorDistance,
  firstFrame,
  framesOf,
  rgbOf,
  type Frame,
  type Rgb,
} from '../../../support/containers/films/frame-pixels.ts'
import { expectColor, overlay } from '../../../support/containers/films/overlay-elements.ts'
import { frameTimes, probe } from '../../../support/containers/run-tool.ts'
import { campaign } from '../../../support/node/campaign.ts'

const black = rgbOf('#000000')
const red = rgbOf('#ff0000')
const lime = rgbOf('#00ff00')
const blue = rgbOf('#0000ff')
const white = rgbOf('#ffffff')

/** The levels of a white element on black at the middle of each picture, 0 … 1. */
function levelsAt(frames: readonly Frame[], x: number, y: number): number[] {
  return frames.map((frame) => frame.at(x, y)[1] / 255)
}

describe('placeOverlay', () => {
  it('shows elements in their time, exact to the frame', async () => {
    const file = await plainImage('#ffffff', '32x32')
    const at = (x: string) => ({ file, position: { x, y: '0%' } })
    const asked = [
      { ...at('0%'), timing: { startTime: 0.4, endTime: 0.8 } },
      { ...at('20%'), timing: { startTime: 0.6 } },
      { ...at('40%'), timing: { endTime: 0.2 } },
      { ...at('60%'), timing: { startTime: 0.4, endTime: 0.6, entireVideo: true } },
      { ...at('80%'), timing: { startTime: 0.8, endTime: 99 } },
    ]
    const { file: result } = await overlay(await plainVideo(), asked)
    const frames = await framesOf(result)
    const shown = [16, 80, 144, 208, 272].map((x) => {
      const seen = frames.flatMap((frame, i) => (frame.at(x, 16)[1] > 128 ? [i] : []))
      return `${seen.at(0)}-${seen.at(-1)} ${seen.length}`
    })
    expect(shown).toEqual(['10-19 10', '15-24 10', '0-4 5', '0-24 25', '20-24 5'])
  })

  campaign(
    'shows elements while only the sound runs, and keeps theirs in time with it',
    async () => {
      const tone = ['-f', 'lavfi', '-i', 'sine=f=300:d=1']
      const late = (picture: string) => [
        ...tone,
        ...['-itsoffset', '0.4', '-f', 'lavfi', '-i', picture],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
      ]
      const source = await makeFile('mp4', late('color=black:s=320x240:r=25:d=0.4'))
      const flash = `color=white:s=32x32:r=25:d=0.2,tpad=stop_duration=0.2:color=red`
      const movie = await makeFile('mp4', late(flash))
      const file = await plainImage('#ffffff', '32x32')
      const at = (x: string) => ({ file, position: { x, y: '0%' } })
      const asked = [
        { ...at('0%'), timing: { endTime: 0.2 } },
        { ...at('20%'), timing: { startTime: 0.88 } },
        { ...at('40%'), type: 'video', file: movie },
      ]
      const frames = await framesOf((await overlay(source, asked)).file)
      const shown = [16, 80, 144].map((x) => {
        const seen = frames.flatMap((frame, i) => (frame.at(x, 16)[1] > 128 ? [i] : []))
        return `${seen.at(0)}-${seen.at(-1)} ${seen.length}`
      })
      // The first picture of a late clip stands until its time.
      expect(shown).toEqual(['0-4 5', '22-24 3', '0-14 15'])
    },
  )

  campaign('fades in and out along each of the four curves', async () => {
    const file = await plainImage('#ffffff', '32x32')
    const fade = (easing: string) => ({ duration: 1, easing })
    const asked = easings.map((easing, i) => ({
      file,
      timing: { startTime: 0.5, endTime: 3 },
      position: { x: `${i * 25}%`, y: '0%' },
      effects: { fadeIn: fade(easing), fadeOut: fade(easing) },
    }))
    const { file: result } = await overlay(await plainVideo('#000000', 3.2), asked)
    const frames = await framesOf(result)
    for (const [i, easing] of easings.entries()) {
      const levels = levelsAt(frames, i * 80 + 16, 16)
      for (let step = 0; step <= 10; step++) {
        const t = Math.floor(step * 2.5) / 25
        const there = easingCurves[easing](t)
        expect(Math.abs((levels[13 + t * 25] ?? 9) - easingCurves[easing](t + 0.02))).toBeLessThan(
          0.05,
        )
        expect(Math.abs((levels[50 + t * 25] ?? 9) - (t < 1 ? 1 - there : 0))).toBeLessThan(0.05)
      }
      expect(levels.slice(39, 50).every((level) => level > 0.98)).toBe(true)
      expect(levels.slice(75).every((level) => level < 0.02)).toBe(true)
    }
  })

  campaign('fades evenly in time, even if the pictures of the video are uneven', async () => {
    const picture = 'color=black:s=64x64:r=60:d=1.5,select=not(mod(n\\,3))+not(mod(n\\,7))'
    const source = await makeFile('mp4', [
      ...['-f', 'lavfi', '-i', picture, '-fps_mode', 'vfr', '-c:v', 'libx264'],
      ...['-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    ])
    const effects = { fadeIn: { duration: 0.8, easing: 'ease-in' } }
    const asked = [
      { file: await plainImage('#ffffff', '32x32'), timing: { startTime: 0.4 }, effects },
    ]
    const { file } = await overlay(source, asked)
    const times = await frameTimes(file)
    const levels = levelsAt(await framesOf(file), 32, 32)
    expect(levels.length).toBeGreaterThan(30)
    for (const [i, level] of levels.entries()) {
      const t = Math.min(1, Math.max(0, ((times[i] ?? 0) - 0.4) / 0.8))
      expect(Math.abs(level - t * t)).toBeLessThan(0.03)
    }
  })

  it('plays a GIF from any start time, at its own speed, repeatedly, and with its transparency', async () => {
    const asked = [
      { file: await threeColorGif(), type: 'gif', timing: { startTime: 0.4 } },
      {
        file: await threeColorGif(),
        type: 'gif',
        loop: false,
        position: { anchor: 'top-left' },
      },
    ]
    const { file } = await overlay(await plainVideo('#808080', 2.4), asked)
    const frames = await framesOf(file)
    expect(frames).toHaveLength(60)
    const grey = rgbOf('#808080')
    const round = [...Array<Rgb>(5).fill(red), ...Array<Rgb>(10).fill(lime)].concat(
      Array<Rgb>(5).fill(blue),
    )
    for (const [i, frame] of frames.entries()) {
      expectColor(frame, [150, 120], i < 10 ? grey : (round[(i - 10) % 20] ?? grey))
      expectColor(frame, [170, 120], grey)
      expectColor(frame, [6, 16], i < 20 ? (round[i] ?? grey) : grey)
    }
  })

  it('plays a video once, or repeatedly on request, without its sound and without lengthening the result', async () => {
    const halves = ['red', 'lime'].flatMap((color) => [
      ...['-f', 'lavfi', '-i', `color=${color}:s=64x48:r=25:d=0.4`],
    ])
    const clip = await makeFile('mp4', [
      ...[...halves, '-f', 'lavfi', '-i', 'sine=d=0.8', '-filter_complex', '[0][1]concat=n=2'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ])
    const asked = [
      {
        file: clip,
        type: 'video',
        timing: { startTime: 0.4 },
        position: { anchor: 'top-left' },
      },
      { file: clip, type: 'video', loop: true, position: { anchor: 'top-right' } },
    ]
    const { file } = await overlay(await plainVideo('#000000', 2), asked)
    const frames = await framesOf(file)
    expect(frames).toHaveLength(50)
    expect((await probe(file)).streams.map((stream) => stream['codec_type'])).toEqual(['video'])
    const once = frames.map((frame) => nameOf(frame.at(32, 24)))
    const again = frames.map((frame) => nameOf(frame.at(288, 24)))
    const spell = (name: string, count: number) => Array<string>(count).fill(name)
    expect(once).toEqual([
      ...[spell('black', 10), spell('red', 10), spell('lime', 10), spell('black', 20)].flat(),
    ])
    expect(again).toEqual(
      [spell('red', 10), spell('lime', 10), spell('red', 10), spell('lime', 10)]
        .concat([spell('red', 10)])
        .flat(),
    )
  })

  campaign('keeps the transparency of VP8 and VP9', async () => {
    const asked = [
      {
        file: await halfWebm('red', 0.4, 'libvpx-vp9'),
        type: 'video',
        loop: true,
        position: { anchor: 'top-left' },
      },
      {
        file: await halfWebm('blue', 0.4, 'libvpx'),
        type: 'video',
        loop: true,
        position: { anchor: 'top-right' },
        effects: { opacity: 0.5 },
      },
    ]
    const options = { outputFormat: 'webm' }
    const frames = await framesOf((await overlay(await plainVideo('#ffffff'), asked, options)).file)
    for (const frame of [frames.at(3), frames.at(-1)]) {
      expectColor(frame, [16, 32], red)
      expectColor(frame, [48, 32], white)
      expectColor(frame, [272, 32], rgbOf('#8080ff'))
      expectColor(frame, [304, 32], white)
    }
  })

  campaign('turns a phone video upright that was recorded lying', async () => {
    const lying = await makeFile('mp4', [
      ...['-f', 'lavfi', '-i', 'color=red:s=96x64:d=1,drawbox=w=48:h=64:c=blue:t=fill'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    ])
    const turned = ['-i', lying, '-c', 'copy', '-metadata:s:v:0', 'rotate=90']
    const asked = [{ file: await makeFile('mp4', turned), type: 'video' }]
    const frame = await firstFrame((await overlay(await plainVideo(), asked)).file)
    // ffmpeg 5.1 writes this tag as a quarter turn to the left.
    expectColor(frame, [160, 90], red)
    expectColor(frame, [160, 150], blue)
    expectColor(frame, [200, 120], black)
  })

  campaign('shows fifty elements at once', async () => {
    const [image, gif] = [await plainImage('#ff0000', '16x16'), await threeColorGif()]
    const asked = Array.from({ length: 50 }, (_, i) => ({
      ...(i % 2 === 0 ? { file: image } : { file: gif, type: 'gif', size: { width: 16 } }),
      position: { x: `${(i % 10) * 10}%`, y: `${Math.floor(i / 10) * 20}%` },
      effects: { fadeOut: { duration: 0.2, easing: 'ease-out' } },
    }))
    const { file } = await overlay(await plainVideo(), asked)
    const frames = await framesOf(file)
    expect(frames).toHaveLength(25)
    for (let i = 0; i < 50; i++) {
      const at = [(i % 10) * 32 + 3, Math.floor(i / 10) * 48 + 7] as const
      expectColor(frames[2], at, red)
      expectColor(frames[24], at, i % 2 === 0 ? rgbOf('#0a0000') : black)
    }
  })

  it('places elements on the finished timeline: after the cuts, and in the new shape', async () => {
    const asked = [
      {
        file: await plainImage('#ffffff', '32x32'),
        position: { anchor: 'bottom-right' },
        timing: { startTime: 0.8 },
      },
    ]
    const { file } = await overlay(await plainVideo('#000000', 2), asked, {
      removeSegments: [{ startTime: 0, endTime: 1 }],
      aspectRatio: '1:1',
    })
    const frames = await framesOf(file)
    expect(frames).toHaveLength(25)
    expect(frames.map((frame) => frame.at(230, 230)[1] > 128).indexOf(true)).toBe(20)
  })
})

function nameOf(color: Rgb): string {
  const named = { black, red, lime, blue, white }
  return Object.entries(named).find(([, value]) => colorDistance(color, value) < 40)?.[0] ?? 'none'
}
