/** What a film in parts costs, as measured on this machine. */
export type Costs = {
  /** Processor seconds of one picture of 1080p, with decoding and a light graph. */
  readonly picture: number
  /** Of pictures that only warm up, as a share of that. */
  readonly warmUpShare: number
  /** Processor seconds of a second of sound. */
  readonly sound: number
}

/** Assumed of a container with two processors: seconds, and bytes a second to and from storage. */
const assumed = { processors: 2, used: 0.9, cold: 6, start: 0.6, prepare: 3, transfer: 60e6 }
const film = { fps: 30, sourceBytes: 1.25e6, resultBytes: 1.04e6, warmUpPictures: 45 }
/**
 * Pieces from all over the film, encoded at one quality and then at another, before any part. For each, pictures from the key
 * before it are decoded, which takes a tenth of what encoding them takes.
 */
const samples = { qualities: 2, share: 0.045, least: 6, most: 16, pictures: 30, decoded: 125 }
const decodingShare = 0.1
/** A second of a `standard-3`: docs/decisions/057-containers-on-an-engine.md. */
const dollarsOfSecond = 0.0000211
/** The most demanding part of a film takes this many times as long as its mean: measured for 10 s parts. */
const mostDemanding = 1.5
/** One machine in `each` is slower, by `factor`. */
const straggler = { each: 20, factor: 2 }

export type Simulated = {
  readonly seconds: number
  readonly dollars: number
  readonly parts: number
}

/** How long a film takes with this many media workers, the longest parts first, and what their containers cost. */
export function simulate(filmSeconds: number, workers: number, costs: Costs): Simulated {
  const rounds = Math.max(1, Math.round(filmSeconds / (15 * workers)))
  const length = Math.min(30, Math.max(8, filmSeconds / (workers * rounds), filmSeconds / 240))
  const parts = Math.ceil(filmSeconds / length)
  const speed = assumed.processors * assumed.used
  const lasting = Array.from({ length: parts }, (_, i) => {
    const demand = 2 - mostDemanding + (2 * (mostDemanding - 1) * (parts - i)) / (parts + 1)
    const pictures = length * film.fps * demand + film.warmUpPictures * costs.warmUpShare
    const carried = (length * (film.sourceBytes + film.resultBytes)) / assumed.transfer
    return assumed.start + carried + (pictures * costs.picture) / speed
  })
  const used = Math.min(workers, parts)
  const slowness = (worker: number): number =>
    worker % straggler.each === straggler.each - 1 ? straggler.factor : 1
  // The lead is there already; the others start cold.
  const free = Array.from({ length: used }, (_, worker) => (worker === 0 ? 0 : assumed.cold))
  const share = (seconds: number): number => {
    const ends = free.map((at, worker) => at + seconds * slowness(worker))
    const end = Math.min(...ends)
    free[ends.indexOf(end)] = end
    return end
  }
  let begun = 0
  for (const sampling of used === 1 ? [] : samplings(filmSeconds, costs)) {
    // What follows waits for all samples.
    begun = Math.max(...sampling.map(share))
    free.forEach((at, worker) => (free[worker] = Math.max(at, begun)))
  }
  lasting.forEach(share)
  // The lead encodes the sound in ranges, one on each of its processors.
  const ranges = Math.max(1, Math.min(assumed.processors, Math.floor(filmSeconds / 90)))
  const heard = (filmSeconds * costs.sound) / (ranges * assumed.used)
  const rendered = Math.max(...free, begun + heard)
  // The join reads and writes the film once, and the result is uploaded.
  const join = 2 + (filmSeconds * film.resultBytes) / 100e6
  const seconds = assumed.prepare + rendered + join
  const held = free.reduce((sum, at) => sum + at, 0) + assumed.prepare + join
  return { seconds, dollars: held * dollarsOfSecond, parts }
}

/** How long each sample of each quality takes. */
function samplings(filmSeconds: number, { picture, warmUpShare }: Costs): number[][] {
  const { pictures, decoded, qualities } = samples
  const wanted = Math.floor((filmSeconds * film.fps * samples.share) / pictures)
  const number = Math.min(samples.most, Math.max(samples.least, wanted))
  const work = pictures + film.warmUpPictures * warmUpShare + decoded * decodingShare
  const seconds = assumed.start + (work * picture) / (assumed.processors * assumed.used)
  return Array.from({ length: qualities }, () => Array<number>(number).fill(seconds))
}
