import type { Check } from '../../../worker/contract/job/check.ts'
import { failed, passed, say } from './check-tables.ts'
import { samplesIn } from './loudness-over-time.ts'

/** The energy of both sides of two sounds, and how far they go together. */
type Sides = {
  readonly made: { left: number; right: number; together: number }
  readonly wanted: { left: number; right: number; together: number }
  /** Each side with the same side of the other sound, and with the other side of it. */
  readonly same: number
  readonly crossed: number
}

function sidesOf(made: Int16Array, wanted: Int16Array): Sides {
  const is = { left: 0, right: 0, together: 0 }
  const was = { left: 0, right: 0, together: 0 }
  let [same, crossed] = [0, 0]
  const length = Math.min(made.length, wanted.length)
  for (let i = 0; i + 1 < length; i += 2) {
    const [a, b] = [made[i] ?? 0, made[i + 1] ?? 0]
    const [c, d] = [wanted[i] ?? 0, wanted[i + 1] ?? 0]
    is.left += a * a
    is.right += b * b
    is.together += a * b
    was.left += c * c
    was.right += d * d
    was.together += c * d
    same += a * c + b * d
    crossed += a * d + b * c
  }
  return { made: is, wanted: was, same, crossed }
}

/** Decibels below full scale, below which a sound tells nothing. */
const leastHeard = -50
const mostLost = 12
const certainlyCrossed = { fit: 0.7, better: 0.25 } as const
/** The share of a sound in which its sides differ. */
const differing = { least: 0.05, lost: 0.1 } as const

/** Whether each side of a sound has what it has in what it was made of. */
export function checkChannels(
  channels: { readonly due: number | undefined; readonly made: number | undefined },
  heard: { readonly made: Buffer; readonly wanted: Buffer | undefined },
): Check {
  const name = 'channels'
  const { due, made: is } = channels
  if (due !== undefined && is !== undefined && is !== due) {
    return failed(name, `It has ${counted(is)}, and was to have ${counted(due)}.`)
  }
  if (!heard.wanted) return passed(name, 'What each is to have is not known.')
  const [made, wanted] = [samplesIn(heard.made), samplesIn(heard.wanted)]
  const sides = sidesOf(made, wanted)
  const fault =
    (is === 1 ? undefined : faultOf(sides, Math.min(made.length, wanted.length) / 2)) ??
    (isInverted(sides, made, wanted) ? 'Every wave of its sound is turned over.' : undefined)
  return fault === undefined
    ? passed(name, 'Each side has what it has in its source.')
    : failed(name, fault)
}

function faultOf({ made, wanted, same, crossed }: Sides, moments: number): string | undefined {
  const level = (energy: number): number =>
    10 * Math.log10(energy / Math.max(1, moments) / 32_768 ** 2 + 1e-10)
  // Other checks find a film that is silent altogether.
  const loudest = [wanted, made].map(({ left, right }) => level(Math.max(left, right)))
  if (Math.min(...loudest) < leastHeard) return undefined
  const left = level(made.left) - level(wanted.left)
  const right = level(made.right) - level(wanted.right)
  if (left < right - mostLost && level(wanted.left) > leastHeard) return quieter('left', left)
  if (right < left - mostLost && level(wanted.right) > leastHeard) return quieter('right', right)
  const all = Math.sqrt((made.left + made.right) * (wanted.left + wanted.right))
  const [asIs, asCrossed] = [same / Math.max(1, all), crossed / Math.max(1, all)]
  if (asCrossed > certainlyCrossed.fit && asCrossed - asIs > certainlyCrossed.better) {
    return 'Its left side is heard at the right, and its right side at the left.'
  }
  const [is, was] = [made, wanted].map(
    ({ left: a, right: b, together }) => (a + b - 2 * together) / Math.max(1, a + b),
  )
  const isLost = (was ?? 0) > differing.least && (is ?? 0) < (was ?? 0) * differing.lost
  return isLost ? 'Both of its sides are the same; those of its source are not.' : undefined
}

const certainlyInverted = { fit: -0.7, otherwise: 0.5 } as const
/** In moments of 8 kHz. A tone that comes a little late looks inverted; it looks right at another lag. */
const mostLag = 24

function isInverted({ made: is, wanted: was, same }: Sides, made: Int16Array, wanted: Int16Array) {
  const all = Math.max(1, Math.sqrt((is.left + is.right) * (was.left + was.right)))
  if (same / all > certainlyInverted.fit) return false
  for (let lag = -mostLag; lag <= mostLag; lag++) {
    const late = made.subarray(Math.max(0, 2 * lag))
    const early = wanted.subarray(Math.max(0, -2 * lag))
    if (sidesOf(late, early).same / all > certainlyInverted.otherwise) return false
  }
  return true
}

function quieter(side: string, decibels: number): string {
  return `Its ${side} side is ${say(-decibels)} dB quieter than in its source.`
}

function counted(channels: number): string {
  return channels === 1 ? 'one channel' : `${channels} channels`
}
