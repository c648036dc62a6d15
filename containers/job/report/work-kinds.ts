import type { Pace, Paces } from '../../../worker/contract/job/paces.ts'
import { medianOf } from '../../numbers/mean.ts'

/**
 * A piece of work that takes time in a job. `units` grow with the work and include what any job takes, so that even the time of
 * a short job is a number of them. `isMixed`: only a part of it is done, so its time tells nothing about its kind. `spread`: how far
 * off its time may be, if a trial of this very work tells more than its kind does.
 */
export type Work = {
  readonly kind: string
  readonly units: number
  readonly isMixed?: boolean
  readonly spread?: number
}

/**
 * Milliseconds of a unit on two cores, until past jobs of the service tell; how many units are the same for each job; and how
 * many cores are busy: one, if left out. Most units are seconds of footage; those of an encode are millions of pixels of a
 * still picture.
 */
const kinds = {
  /** The whole job, before its footage is known. */
  whole: { ms: 5_000, fixed: 1 },
  /** Includes hashing every byte; a unit is a megabyte. */
  fetching: { ms: 10, fixed: 15 },
  measuring: { ms: 2, fixed: 160 },
  'measuring sound': { ms: 4, fixed: 70 },
  'measuring voices': { ms: 8, fixed: 70 },
  /** One pass over the raw sound, through a gain, a limiter at four times the rate and a meter. */
  'measuring gain': { ms: 6.5, fixed: 23 },
  /** How the camera shook; a unit is a second of 30 pictures, which are all measured at the same size. */
  'measuring shake': { ms: 200, fixed: 1, cores: 1.4 },
  /** A unit of both is a million pixels that are decoded and searched. */
  'seeing people': { ms: 14, fixed: 20, cores: 1.5 },
  'seeing faces': { ms: 24, fixed: 10, cores: 1.5 },
  /** Reading the measurements of earlier jobs. */
  'measuring again': { ms: 20, fixed: 70 },
  'measuring noise': { ms: 42, fixed: 16, cores: 1.3 },
  transcribing: { ms: 75, fixed: 3 },
  'transcribing beside': { ms: 85, fixed: 2 },
  /** Includes the start and the end of its program, which take most of the time. */
  copying: { ms: 1.5, fixed: 150, cores: 1.2 },
  /** The same for several clips, whose packets are compared afterwards. */
  joining: { ms: 3, fixed: 300, cores: 1.2 },
  /** Pictures are copied, sound is not. */
  'encoding sound': { ms: 12, fixed: 1 },
  cutting: { ms: 14, fixed: 60, cores: 1.2 },
  /** The time of a rendering program before its first report. */
  starting: { ms: 180, fixed: 1 },
  /** The time after the last report of a rendering: its end, reading the result, the still. */
  ending: { ms: 330, fixed: 1 },
  /** The checks of a film; a unit is a million pixels that are decoded for them. */
  checking: { ms: 5.3, fixed: 115 },
  /** Of 2 s of three films from 640 × 480 to 1280 × 960, HEVC took 2.2 to 3 times the processor time of H.264, VP9 2.7 to 4.2 and AV1 1.2 to 3. */
  'encoding mp4': { ms: 5.6, fixed: 15, cores: 1.5 },
  'encoding mov': { ms: 5.6, fixed: 15, cores: 1.5 },
  'encoding avi': { ms: 7, fixed: 15, cores: 1.6 },
  'encoding webm': { ms: 27, fixed: 10, cores: 1.5 },
  'encoding hevc': { ms: 15, fixed: 10, cores: 1.5 },
  'encoding vp9': { ms: 27, fixed: 10, cores: 1.5 },
  'encoding av1': { ms: 18, fixed: 10, cores: 1.5 },
  'encoding hls': { ms: 6.5, fixed: 55, cores: 1.5 },
  /** Stills and pictures that move. */
  'encoding pictures': { ms: 3, fixed: 80, cores: 1.1 },
  /** Several results; a unit takes about a millisecond. */
  'encoding outputs': { ms: 1, fixed: 0, cores: 1.2 },
  /** How often a rendering runs that may become too large, in thousandths, with and without a look before it. */
  runs: { ms: 1_400, fixed: 1 },
  'runs looked': { ms: 1_100, fixed: 1 },
  analysing: { ms: 3_000, fixed: 1, cores: 0.5 },
  uploading: { ms: 60, fixed: 1, cores: 0.4 },
} as const satisfies Readonly<Record<string, UsualWork>>
export type WorkKind = keyof typeof kinds
type UsualWork = { readonly ms: number; readonly fixed: number; readonly cores?: number }

/** The processor time of a work, from its time on the clock and the number of cores that it usually keeps busy. */
export function processorMsOf(wanted: Work | undefined, ms: number): number {
  const kind = wanted?.kind.replace(lookPrefix, '') ?? ''
  const usual: UsualWork | undefined = isKind(kind) ? kinds[kind] : undefined
  return ms * (usual?.cores ?? 1)
}

/** Kinds that say nothing about the speed of the machine. */
const general: readonly string[] = [
  'whole',
  'fetching',
  'starting',
  'ending',
  'runs',
  'runs looked',
]
/** By how much the encodes of two films with the same pixels and bytes differ. */
const footageSpread = 0.4
/** How far off a pace may be that was never measured on this machine. */
const unmeasuredSpread = 0.8
/** By how much the numbers of runs differ. */
export const runsSpread = 0.35

export function work(kind: WorkKind, more = 0): Work {
  return { kind, units: kinds[kind].fixed + more }
}

/** The cost of a picture besides its pixels: it passes through filters, an encoder and a file, however small it is. */
const pictureMs = 0.3

/** The work of an encode: `pixels` counts millions, each as one of a still picture. */
export function encodingWork(kind: WorkKind, pixels: number, pictures: number): Work {
  return work(kind, pixels + (pictures * pictureMs) / kinds[kind].ms)
}

export function fetchingWork(bytes: number): Work {
  return work('fetching', bytes / 1e6)
}

/** Roughly how many milliseconds a work takes on two cores. */
export function usualTime({ kind, units }: Work): number {
  return units * usualMs(kind)
}

/** Whether a program does the work that reports its progress, but only between its start and its end. */
export function hasStart({ kind }: Work): boolean {
  return isLook(kind) || kind.startsWith('encoding')
}

function usualMs(kind: string): number {
  if (isLook(kind)) return lookEffort * usualMs(kind.slice(lookPrefix.length))
  return isKind(kind) ? kinds[kind].ms : kinds.whole.ms
}

/** The pace of a kind of work: the measured one, or the usual one on a machine as fast as the measured kinds suggest. */
export function paceOf(kind: string, paces: Paces): Pace {
  const known = paces[kind]
  if (known) {
    const least = kind.startsWith('encoding') ? footageSpread : 0
    return { ms: known.ms, spread: Math.max(least, known.spread) }
  }
  if (kind.startsWith('whole ') && paces['whole']) return widened(paces['whole'])
  if (isLook(kind)) {
    const { ms, spread } = paceOf(kind.slice(lookPrefix.length), paces)
    return widened({ ms: lookEffort * ms, spread })
  }
  const runs = (['runs looked', 'runs'] as const).find((one) => kind.startsWith(one))
  if (runs) return { ms: kinds[runs].ms, spread: runsSpread }
  if (!isKind(kind)) return { ms: kinds.whole.ms, spread: 1 }
  const factors = Object.entries(paces).flatMap(([name, { ms }]) =>
    isKind(name) && !general.includes(name) ? [ms / kinds[name].ms] : [],
  )
  // One kind of work says little about the others; several together show how fast the machine is.
  const factor = medianOf(factors) ** (factors.length / (factors.length + 3))
  return { ms: usualMs(kind) * factor, spread: kind === 'whole' ? 1 : unmeasuredSpread }
}

const lookPrefix = 'looking: '
/** The effort of a look, as a share of that of an encode. */
const lookEffort = 0.8

export function isLook(kind: string): boolean {
  return kind.startsWith(lookPrefix)
}

function widened({ ms, spread }: Pace): Pace {
  return { ms, spread: Math.max(unmeasuredSpread, spread) }
}

function isKind(name: string): name is WorkKind {
  return Object.hasOwn(kinds, name)
}

/** A quick look at the pictures before they are rendered. Each encoder has a way of its own. */
export function lookingWork({ kind, units }: Work): Work {
  return { kind: `${lookPrefix}${kind}`, units }
}

/** How often a rendering of this kind runs if its result must not exceed its sources. */
export function runsWork({ kind }: Work, looks: boolean): Work {
  return { kind: `${looks ? 'runs looked' : 'runs'}: ${kind}`, units: 1 }
}
