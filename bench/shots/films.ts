import {
  drawn,
  filmed,
  filmSize,
  lit,
  mixed,
  noiseAt,
  readPhotos,
  texture,
  type Scene,
} from './draw-scenes.ts'

/** Where one shot ends and the next begins: between these two pictures. */
type Boundary = { readonly from: number; readonly to: number }

export type MadeFilm = {
  readonly kind: string
  readonly fps: number
  readonly pictures: readonly Uint8Array[]
  readonly boundaries: readonly Boundary[]
}

type Joint = { readonly kind: 'cut' | 'black' | 'dissolve'; readonly seconds: number }

const shotSeconds = 2
const black = new Uint8Array(filmSize.width * filmSize.height * 3)

/** One scene after the other, each joint as it is told, with the grain of a camera. */
function joined(kind: string, fps: number, scenes: readonly Scene[], joint: Joint): MadeFilm {
  const each = Math.round(shotSeconds * fps)
  const half = Math.round((joint.seconds * fps) / 2)
  const pictures = Array.from({ length: scenes.length * each }, (_, at) => {
    const shot = Math.floor(at / each)
    const own = scenes[shot]?.(at / fps) ?? black
    const begun = at - shot * each
    const isLate = begun >= each - half && shot + 1 < scenes.length
    const isEarly = begun < half && shot > 0
    if (!isLate && !isEarly) return own
    if (joint.kind === 'black') {
      return mixed(black, own, (isLate ? each - begun : begun) / Math.max(1, half))
    }
    const other = scenes[isLate ? shot + 1 : shot - 1]?.(at / fps) ?? black
    const share = (isLate ? begun - (each - half) : begun + half) / (2 * half)
    return isLate ? mixed(own, other, share) : mixed(other, own, share)
  })
  const boundaries = scenes.slice(1).map((_, i) => {
    const at = (i + 1) * each
    return { from: at - half, to: at + half }
  })
  return { kind, fps, boundaries, pictures: pictures.map(grainy) }
}

function grainy(picture: Uint8Array, seed: number): Uint8Array {
  return picture.map((value, at) =>
    Math.min(255, Math.max(0, value + 6 * (noiseAt(at, seed, 5) - 0.5))),
  )
}

/** The same pictures, changed by the number of the picture. */
function changed(
  film: MadeFilm,
  kind: string,
  change: (picture: Uint8Array, at: number) => Uint8Array,
): MadeFilm {
  return { ...film, kind, pictures: film.pictures.map(change) }
}

const cut: Joint = { kind: 'cut', seconds: 0 }

/** Each picture of a few is shown this often, as in drawn films and in recordings of screens. */
function held(film: MadeFilm, times: number): MadeFilm {
  const first = (at: number): number => at - (at % times)
  return {
    ...film,
    kind: 'pictures held',
    pictures: film.pictures.map((own, at) => film.pictures[first(at)] ?? own),
  }
}

/** Somebody reads a page, and scrolls on every second: fast at first, then slower. */
function scrolled(page: Scene): Scene {
  return (seconds) => {
    const part = Math.min(1, (seconds % 1) / 0.4)
    return page(60 * (Math.floor(seconds) + 1 - (1 - part) ** 3))
  }
}

function stripes(period: number, pace: number): Scene {
  return (seconds) => {
    const pixels = new Uint8Array(filmSize.width * filmSize.height * 3)
    for (let row = 0; row < filmSize.height; row++) {
      const isLight = (row + pace * seconds) % period < period / 2
      const from = row * filmSize.width * 3
      pixels.fill(isLight ? 220 : 30, from, from + filmSize.width * 3)
    }
    return pixels
  }
}

function slow(x: number, y: number, wide: number, pace = 6) {
  return (seconds: number) => ({
    ...{ x: x + pace * seconds, y: y + (pace / 3) * seconds, wide },
  })
}

/** One scene that goes on. */
function alone(kind: string, fps: number, scene: Scene | undefined): MadeFilm {
  const shown = scene ?? texture(9, [20, 0], 3)
  return { ...joined(kind, fps, [shown, shown, shown], cut), boundaries: [] }
}

/** Films of every kind, the same in every run. */
export async function madeFilms(): Promise<MadeFilm[]> {
  const [people, faces, mesh] = await readPhotos()
  const scenes = [
    filmed(people, slow(40, 180, 600)),
    filmed(mesh, slow(300, 100, 700)),
    drawn([200, 160, 120], [40, 60, 150], 1.5),
    filmed(faces, slow(0, 60, 500)),
    filmed(people, slow(640, 300, 400, -8)),
    texture(9, [20, 0], 3),
    filmed(faces, slow(600, 100, 420)),
  ]
  const alike = [0, 1, 2, 3, 4, 5, 0, 4].map((i) =>
    filmed(people, slow(120 + 130 * i, 220 + 20 * (i % 3), 330 + 20 * (i % 2))),
  )
  const panned = filmed(people, slow(40, 180, 500, 160))
  const page = filmed(mesh, slow(200, 0, 600, 90))
  return [
    ...[12, 24, 30, 60].map((fps) => joined(`cuts at ${fps}`, fps, scenes, cut)),
    joined('cuts between alike', 25, alike, cut),
    joined('fades', 25, scenes, { kind: 'black', seconds: 0.8 }),
    joined('fades', 30, scenes, { kind: 'black', seconds: 1.4 }),
    joined('dissolves', 25, scenes, { kind: 'dissolve', seconds: 0.6 }),
    joined('dissolves', 30, scenes, { kind: 'dissolve', seconds: 1.2 }),
    ...litFilms(scenes),
    ...scrolledFilms(page),
    ...[2, 3, 4, 5].flatMap((times) => [
      held(alone('', 25, texture(20, [90, 0], 5)), times),
      held(alone('', 25, stripes(31, 95)), times),
      held(alone('', 25, panned), times),
      held(alone('', 30, filmed(mesh, slow(40, 100, 300, 240))), times),
      held(joined('', 25, scenes, cut), times),
    ]),
    alone('fast pans', 25, filmed(people, whip)),
    ...[14, 50].map((wild) => alone('shaking', 25, filmed(people, shaking(wild)))),
    joined(
      'cuts while shaking',
      25,
      [filmed(people, shaking(20)), ...alike.slice(3), filmed(people, shaking(30))],
      cut,
    ),
  ]
}

function litFilms(scenes: readonly Scene[]): MadeFilm[] {
  const [still] = scenes
  const flash = (lengths: readonly number[], more: number) => (picture: Uint8Array, at: number) =>
    lengths.some((length, i) => at >= 30 + 35 * i && at < 30 + 35 * i + length)
      ? lit(picture, 1, more)
      : picture
  return [
    changed(alone('', 25, still), 'flashes', flash([1, 2, 3], 180)),
    changed(joined('', 25, scenes, cut), 'flashes', flash([2, 1, 3, 2, 1, 4], 140)),
    changed(alone('', 25, still), 'lightning', (picture, at) =>
      at % 31 < 8 ? lit(picture, 1 + 1.4 * noiseAt(at, 0, 4)) : picture,
    ),
  ]
}

function scrolledFilms(page: Scene): MadeFilm[] {
  return [
    ...[4, 9, 20, 45, 90].flatMap((grain) => [
      alone('scrolling', 25, texture(grain, [0, 60], 1)),
      alone('scrolling', 25, texture(grain, [170, 40], 2)),
      alone('scrolling', 30, texture(grain, [0, 400], 7)),
    ]),
    ...[6, 16, 31].flatMap((period) =>
      [30, 95, 210, 390].map((pace) => alone('scrolling', 25, stripes(period, pace))),
    ),
    ...[texture(8, [1, 0], 5), texture(30, [0, 2], 8)].map((text) =>
      alone('pages scrolled', 30, scrolled(text)),
    ),
    alone('pages scrolled', 60, scrolled(page)),
  ]
}

function shaking(wild: number) {
  return (seconds: number) => {
    const step = Math.round(seconds * 25)
    return {
      x: 300 + wild * (noiseAt(step, 1, 9) - 0.5) + 40 * Math.sin(seconds * 7),
      y: 200 + wild * (noiseAt(step, 2, 9) - 0.5),
      wide: 450,
    }
  }
}

function whip(seconds: number) {
  const turn = (seconds % 2) / 2
  const share = turn < 0.5 ? 0 : Math.min(1, (turn - 0.5) * 5)
  const isBack = Math.floor(seconds / 2) % 2 === 1
  return { x: isBack ? 800 - 800 * share : 800 * share, y: 150, wide: 450 }
}
