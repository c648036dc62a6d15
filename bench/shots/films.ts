import path from 'node:path'
import { root } from '../../scripts/machine/checkout.ts'

/** A film for ffmpeg to draw, with the seconds at which its shots begin. */
export type DrawnFilm = {
  readonly kind: string
  readonly fps: number
  readonly graph: string
  readonly boundaries: readonly number[]
  /** For how many seconds one shot becomes the next. */
  readonly lasting: number
}

/** Filters that draw one shot without end. */
type Scene = (fps: number) => string

const shotSeconds = 2
const grain = 'noise=alls=4:allf=t'

/** A camera that shows a part of a photo of 1280 by 800; `x` and `y` may follow the time, in steps of half a pixel. */
function filmed(photo: string, wide: number, x: string, y = '150'): Scene {
  const file = path.join(root, 'node_modules/@vladmandic/human/assets', photo)
  const whole = `movie=${file},scale=2560:1600:force_original_aspect_ratio=increase,crop=2560:1600,format=gbrp`
  const shown = `crop=${2 * wide}:${Math.round((wide * 9) / 8)}:'2*(${x})':'2*(${y})',scale=256:144`
  return (fps) => `${whole},loop=-1:1,settb=1/${fps},setpts=N,fps=${fps},${shown}`
}

/** One drawn picture that runs across, as texts, fabrics and stripes do; the pace is in pixels a second. */
function running(light: string, grains: number, [across, down]: readonly [number, number]): Scene {
  const [width, height] = [Math.ceil(768 / grains), Math.ceil(432 / grains)]
  const drawn = `nullsrc=s=${width}x${height},geq=lum='${light}':cb=128:cr=128,trim=end_frame=1`
  const large = `scale=${width * grains}:${height * grains}:flags=neighbor`
  return (fps) => {
    const pace = `h=${across / fps / (width * grains)}:v=${down / fps / (height * grains)}`
    return `${drawn},${large},loop=-1:1,settb=1/${fps},setpts=N,fps=${fps},scroll=${pace},crop=256:144:0:0`
  }
}

const texture = (grains: number, pace: readonly [number, number]) =>
  running('255*random(1)', grains, pace)
const stripes = (period: number, pace: number) =>
  running(`if(lt(mod(Y,${period}),${period / 2}),220,30)`, 1, [0, pace])

const [people, faces, page] = ['samples.jpg', 'screenshot-facematch.jpg', 'facemesh.png'] as const
const still = filmed(people, 600, '40+6*t', '180+2*t')
const scenes: readonly Scene[] = [
  still,
  filmed(page, 700, '300+6*t', '100+2*t'),
  (fps) => `mandelbrot=s=256x144:r=${fps}:start_scale=2,hue=s=1.5`,
  filmed(faces, 500, '6*t', '60+2*t'),
  filmed(people, 400, '640-8*t', '300-3*t'),
  texture(9, [20, 0]),
  filmed(faces, 420, '600+6*t', '100+2*t'),
]
/** Other parts of one photo. */
const alike = [0, 1, 2, 3, 4, 5, 0, 4].map((i) =>
  filmed(people, 330 + 20 * (i % 2), `${120 + 130 * i}+6*t`, `${220 + 20 * (i % 3)}`),
)
const shaking = (wild: number) =>
  filmed(people, 450, `300+${wild}*(random(1)-0.5)+40*sin(7*t)`, `200+${wild}*(random(2)-0.5)`)
const panned = filmed(people, 500, '40+160*t')
const whipped = filmed(people, 450, '800*abs(clip(mod(t,2)*2.5-2.5,0,1)-mod(floor(t/2),2))')
/** Fast at first, then slower, once a second. */
const scrolledPage = filmed(page, 600, '200', '60*(floor(t)+1-pow(1-min(1,mod(t,1)/0.4),3))')

type Joint = { readonly by: 'cut' | 'black' | 'dissolve'; readonly seconds: number }
const cut: Joint = { by: 'cut', seconds: 0 }

/** One scene after the other, then changed as a whole. */
function joined(
  kind: string,
  fps: number,
  shown: readonly Scene[],
  { by, seconds }: Joint = cut,
  change = 'null',
): DrawnFilm {
  const length = by === 'dissolve' ? shotSeconds + seconds : shotSeconds
  const half = seconds / 2
  const fade = `,fade=out:st=${shotSeconds - half}:d=${half},fade=in:d=${half}`
  const parts = shown.map((scene, i) => {
    const ends = `trim=duration=${length},setpts=PTS-STARTPTS,scale=256:144,format=yuv420p`
    return `${scene(fps)},${ends},setsar=1${by === 'black' ? fade : ''}[s${i}]`
  })
  const dissolved = shown.slice(1).map((_, i) => {
    const before = i === 0 ? '[s0]' : `[x${i}]`
    const at = (i + 1) * shotSeconds
    return `${before}[s${i + 1}]xfade=fade:${seconds}:${at}[x${i + 1}]`
  })
  const concat = `${shown.map((_, i) => `[s${i}]`).join('')}concat=n=${shown.length}[x${shown.length - 1}]`
  const all = [...parts, ...(by === 'dissolve' ? dissolved : [concat])].join(';')
  const late = by === 'dissolve' ? half : 0
  const boundaries = shown.slice(1).map((_, i) => (i + 1) * shotSeconds + late)
  return {
    kind,
    fps,
    graph: `${all};[x${shown.length - 1}]${change},${grain}`,
    boundaries,
    lasting: seconds,
  }
}

/** One scene that goes on. */
function alone(kind: string, fps: number, scene: Scene, change = 'null'): DrawnFilm {
  const long: Scene = (rate) => `${scene(rate)},trim=duration=6`
  const graph = `${long(fps)},scale=256:144,format=yuv420p,${change},${grain}`
  return { kind, fps, graph, boundaries: [], lasting: 0 }
}

const brighter = (much: string) => `eq=brightness='${much}':eval=frame`
const flashes = brighter('0.6*(eq(n,30)+between(n,65,66)+between(n,100,102))')

/** Films of every kind, the same in every run. */
export const drawnFilms: readonly DrawnFilm[] = [
  ...[12, 24, 30, 60].map((fps) => joined(`cuts at ${fps}`, fps, scenes)),
  joined('cuts between alike', 25, alike),
  joined('fades', 25, scenes, { by: 'black', seconds: 0.8 }),
  joined('fades', 30, scenes, { by: 'black', seconds: 1.4 }),
  joined('dissolves', 25, scenes, { by: 'dissolve', seconds: 0.6 }),
  joined('dissolves', 30, scenes, { by: 'dissolve', seconds: 1.2 }),
  alone('flashes', 25, still, flashes),
  joined('flashes', 25, scenes, cut, flashes),
  alone('lightning', 25, still, brighter('0.5*random(1)*lt(mod(n,31),8)')),
  ...[4, 9, 20, 45, 90].flatMap((grains) => [
    alone('scrolling', 25, texture(grains, [0, 60])),
    alone('scrolling', 30, texture(grains, [170, 400])),
  ]),
  ...[6, 16, 31].flatMap((period) =>
    [30, 95, 210, 390].map((pace) => alone('scrolling', 25, stripes(period, pace))),
  ),
  ...[30, 60].map((fps) => alone('pages scrolled', fps, scrolledPage)),
  ...[2, 3, 4, 5].flatMap((times) => {
    const held = `fps=25/${times},fps=25`
    return [
      ...[texture(20, [90, 0]), stripes(31, 95), panned].map((scene) =>
        alone('pictures held', 25, scene, held),
      ),
      joined('pictures held', 25, scenes, cut, held),
    ]
  }),
  alone('fast pans', 25, whipped),
  ...[14, 50].map((wild) => alone('shaking', 25, shaking(wild))),
  joined('cuts while shaking', 25, [shaking(20), ...alike.slice(3), shaking(30)]),
]
