import { describe, expect, it } from 'vitest'
import { bytesOfCells } from '../../../../containers/insight/follow/film-look.ts'
import { findCuts } from '../../../../containers/insight/follow/find-cuts.ts'
import { ffmpegBytes } from '../../../support/containers/run-tool.ts'

/** Scenes that ffmpeg can draw: each moves in its own way. */
const scenes = [
  'mandelbrot=s=160x90:r=25:start_scale=2,hue=s=1.5',
  'testsrc2=s=160x90:r=25',
  'mandelbrot=s=160x90:r=25:start_x=-0.7:start_y=0.3:start_scale=1,negate,hue=h=90',
  'gradients=s=160x90:r=25:c0=0x803010:c1=0x1060a0:seed=4',
  'cellauto=s=160x90:r=25:rule=110,boxblur=6',
]

async function cutsIn(graph: string): Promise<number[]> {
  const small = 'scale=32:18:flags=area,format=yuv420p'
  const raw = ['-f', 'rawvideo', '-']
  const bytes = await ffmpegBytes(['-filter_complex', `${graph},${small}`, ...raw])
  expect(bytes.length % bytesOfCells).toBe(0)
  return findCuts({ bytes, fps: 25 })
}

const shot = (i: number, seconds: number, more = '') =>
  `${scenes[i] ?? ''},trim=duration=${seconds},setpts=PTS-STARTPTS,format=yuv420p${more}[s${i}]`

describe('findCuts', () => {
  it('finds every cut at its picture, and nothing where one shot goes on', async () => {
    const parts = scenes.map((_, i) => shot(i, 2)).join(';')
    const joined = `${parts};[s0][s1][s2][s3][s4]concat=n=5:v=1:a=0`
    expect(await cutsIn(joined)).toEqual([50, 100, 150, 200])
  })

  it('finds cuts of dark films, and both ends of a shot that shows nothing', async () => {
    const dark = `lutyuv=y='16+(val-16)/12':u='128+(val-128)/12':v='128+(val-128)/12'`
    const night = `${shot(2, 2)};${shot(4, 2)};[s2][s4]concat=n=2:v=1:a=0,${dark}`
    expect(await cutsIn(night)).toEqual([50])
    const empty = 'color=c=gray:s=160x90:r=25:d=2,format=yuv420p[e]'
    const around = `${shot(0, 2)};${empty};${shot(1, 2)};[s0][e][s1]concat=n=3:v=1:a=0`
    expect(await cutsIn(around)).toEqual([50, 100])
  })

  it('takes a fade for one boundary, through black or from one picture into the other', async () => {
    const out = ',fade=out:st=1.4:d=0.6'
    const through = `${shot(0, 2, out)};${shot(1, 2, ',fade=in:d=0.6')};[s0][s1]concat=n=2:v=1:a=0`
    const [boundary = 0, ...others] = await cutsIn(through)
    expect(others).toEqual([])
    expect(Math.abs(boundary - 50)).toBeLessThan(4)
    const into = `${shot(0, 2.5)};${shot(1, 2.5)};[s0][s1]xfade=transition=fade:duration=1:offset=1.5`
    const [middle = 0, ...more] = await cutsIn(into)
    expect(more).toEqual([])
    expect(Math.abs(middle - 50)).toBeLessThan(9)
  })

  it('takes a wipe for one boundary, and somebody large who comes in for none', async () => {
    const into = (transition: string) =>
      `${shot(0, 2.5)};${shot(3, 2.5)};[s0][s3]xfade=transition=${transition}:duration=0.8:offset=1.7`
    for (const transition of ['wipeleft', 'wipeup', 'circleopen']) {
      const [middle = 0, ...more] = await cutsIn(into(transition))
      expect(more).toEqual([])
      expect(Math.abs(middle - 52)).toBeLessThan(9)
    }
    const still = `${scenes[1] ?? ''},loop=loop=90:size=1,trim=duration=3.5`
    const x = 'min(80,160*(t-1)-80)'
    const somebody = `${still},crop=80:90:0:0[box];${still}[back];[back][box]overlay=x='${x}'`
    expect(await cutsIn(somebody)).toEqual([])
  })

  it('takes a short fade to black for one boundary, although its first even picture is not dark yet', async () => {
    const gray = (light: number, seconds: number) =>
      `color=c=0x${light.toString(16).repeat(3)}:s=160x90:r=25:d=${seconds},format=yuv420p`
    // Black for three pictures, between others that are as even and not as dark.
    const dip = `${gray(70, 0.08)}[a];${gray(16, 0.12)}[b];${gray(70, 0.08)}[c]`
    const parts = `${shot(0, 2)};${dip};${shot(1, 2)}`
    const cuts = await cutsIn(`${parts};[s0][a][b][c][s1]concat=n=5:v=1:a=0`)
    expect(cuts).toEqual([54])
  })

  it('takes what moves in steps or runs across for none', async () => {
    const held = `${scenes[1] ?? ''},trim=duration=3,fps=6,fps=25,format=yuv420p`
    expect(await cutsIn(held)).toEqual([])
    const scrolled = `${scenes[4] ?? ''},trim=duration=3,scroll=v=0.03,fps=8,fps=25,format=yuv420p`
    expect(await cutsIn(scrolled)).toEqual([])
  })

  it('takes a flash for none', async () => {
    const flash = `lutyuv=y='min(255,val+120)':enable='between(t,1,1.1)'`
    expect(await cutsIn(`${shot(1, 3, `,${flash}`)};[s1]null`)).toEqual([])
    // The camera goes by a seventh of the picture while it is seen.
    const swung = `,scroll=h=0.02,${flash}`
    expect(await cutsIn(`${shot(1, 3, swung)};[s1]null`)).toEqual([])
    const white = `lutyuv=y=250:u=128:v=128:enable='between(t,1,1.1)'`
    expect(await cutsIn(`${shot(0, 3, `,${white}`)};[s0]null`)).toEqual([])
  })

  it('takes a flash for none from which the picture comes back a little at a time', async () => {
    const white = `lutyuv=y=250:u=128:v=128:enable='between(t,1,1.01)'`
    const fading = `lutyuv=y='min(250,val+140)':enable='between(t,1.03,1.09)'`
    const last = `lutyuv=y='min(250,val+60)':enable='between(t,1.11,1.13)'`
    expect(await cutsIn(`${shot(1, 3, `,${fading},${last},${white}`)};[s1]null`)).toEqual([])
  })

  it('takes something small in an empty sky for a shot that goes on', async () => {
    const plane = `drawbox=x=70:y=40:w=30:h=6:c=0x808888:t=fill:enable='lt(t,1)+gt(t,2)'`
    const far = `drawbox=x=74:y=40:w=12:h=4:c=0x808888:t=fill:enable='between(t,1,2)'`
    const sky = 'color=c=0xb0b8b8:s=160x90:r=25:d=3,format=yuv420p'
    expect(await cutsIn(`${sky},${plane},${far}`)).toEqual([])
  })

  it('takes a quick motion in front of a background for none', async () => {
    // A third of the picture, which moves in three pictures, the most of it in the second.
    const x = `if(lt(n,38),0,if(lt(n,39),12,if(lt(n,40),36,48)))`
    const still = 'mandelbrot=s=160x90:r=25:start_scale=2,loop=loop=80:size=1,trim=duration=3'
    const moves = `color=c=white:s=54x90:r=25:d=3[box];${still}[back];[back][box]overlay=x='${x}'`
    expect(await cutsIn(moves)).toEqual([])
  })
})
