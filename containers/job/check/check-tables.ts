import type { Check } from '../../../worker/contract/job/check.ts'
import { standardMatrix } from '../../render/color/standard-picture.ts'
import type { ColorMatrix } from '../../timeline/media-facts.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import type { Planned } from '../plan/plan-job.ts'
import type { Rendered } from '../render/run-plan.ts'
import type { FilmTables } from './film-tables.ts'
import { thousandths } from '../../numbers/thousandths.ts'
import { firstPlace } from '../../../worker/contract/first-place.ts'

/** A finished film, and what is known about it before any of it is decoded. */
export type Looked = {
  readonly planned: Planned
  readonly film: Rendered
  readonly tables: FilmTables
  /** How long its pictures must be shown, if that differs from its clips. */
  readonly seconds?: number | undefined
}

/** All checks that need only the tables of a film. */
export function checkTables(looked: Looked): Check[] {
  return [
    ...[checkLength(looked), checkSize(looked), checkSeams(looked)],
    ...[checkColors(looked), checkPlayback(looked)],
  ]
}

/** A difference in length that no viewer sees or hears. */
const lengthTolerance = { pictures: 2.5, seconds: 0.12 } as const
/** A copy keeps the times of stored pictures, and the time of the last one does not tell its length. */
const copyTolerance = 0.25

/** How long the pictures of a film must be shown. The last one of a single clip may stand until its sound ends. */
function pictureSeconds({ planned, film: { plan }, seconds }: Looked): number[] {
  if (seconds !== undefined) return [seconds]
  if (plan.video === 'copy') return [plan.pictureSeconds]
  const { clips, removed, timeline } = planned
  const isCut = removed.all.length > 0 || (timeline.speed ?? 1) !== 1
  const isWhole = clips.length === 1 && !isCut && !plan.excerpt
  return [...(isWhole ? [clips[0].facts.video.endSeconds] : []), plan.durationSeconds]
}

function checkLength(looked: Looked): Check {
  const { plan, facts } = looked.film
  const { picture, sound } = looked.tables
  const name = 'length'
  const all = pictureSeconds(looked)
  const fps = Math.max(1, plan.averageFps)
  const usual = Math.max(lengthTolerance.seconds, lengthTolerance.pictures / fps)
  const tolerance = plan.video === 'copy' ? Math.max(copyTolerance, 2 / fps) : usual
  // Only the header may tell how long the last picture of a cut copy stands; the proof has compared that.
  const seconds = plan.cutting
    ? Math.max(picture.endSeconds, facts.video.endSeconds)
    : picture.endSeconds
  const wanted = all.toSorted((a, b) => Math.abs(seconds - a) - Math.abs(seconds - b))[0] ?? 0
  if (Math.abs(seconds - wanted) > tolerance) {
    return failed(name, `Its picture lasts ${say(seconds)} s; ${say(wanted)} s were planned.`)
  }
  const isCounted = plan.video === 'encode' && plan.hasConstantRate
  const pictures = picture.at.length
  const counts = picturesDue(looked, wanted)
  if (isCounted && counts.every((count) => Math.abs(pictures - count) > usual * fps)) {
    return failed(name, `It has ${pictures} pictures; ${Math.round(wanted * fps)} were planned.`)
  }
  if (plan.audio !== 'none' && !sound) return failed(name, 'It has no sound, and was to have one.')
  if (plan.audio === 'none' && sound) return failed(name, 'It has a sound, and was to have none.')
  const due = Math.max(wanted, plan.durationSeconds)
  if (plan.audio === 'encode' && facts.durationSeconds - due > Math.max(tolerance, copyTolerance)) {
    return failed(
      name,
      `Its sound lasts until ${say(facts.durationSeconds)} s; ${say(due)} s were planned.`,
    )
  }
  const shown = pictures === 1 ? 'One picture' : `${pictures} pictures`
  return passed(name, `${shown} in ${say(seconds)} s, as planned.`)
}

/** How many pictures are due. Before one that begins later than its sound there is none, or the first one stands still. */
function picturesDue({ planned, film: { plan } }: Looked, seconds: number): number[] {
  const [first, ...others] = planned.clips
  const late = others.length === 0 ? first.facts.video.beginSeconds : 0
  return [seconds, seconds - late].map((one) => one * fpsOf(plan.frameRate))
}

/** The pixels of some sources are wider or narrower than high by so little that no viewer sees it. */
const mostOblong = 0.02

/** Whether pixels of this shape, such as `4:3`, are square; pixels without a stated shape are. */
function isSquare(shape = ''): boolean {
  const [across = 0, down = 0] = shape.split(':').map(Number)
  return !(across > 0 && down > 0) || Math.abs(across / down - 1) < mostOblong
}

/** An encode stores its pictures upright, with square pixels. */
function checkSize({ film: { plan }, tables: { said, messages } }: Looked): Check {
  const name = 'size'
  if (plan.video === 'copy')
    return passed(name, 'Its pictures are as large as those of the source.')
  const is = `${said.get('width')} × ${said.get('height')}`
  const due = `${plan.width} × ${plan.height}`
  const [across, down] = [Number(said.get('width')), Number(said.get('height'))]
  // Colours stored at half the resolution need even sides.
  const isSame = Math.abs(across - plan.width) <= 1 && Math.abs(down - plan.height) <= 1
  if (!isSame) return failed(name, `Its pictures have ${is} pixels; ${due} were planned.`)
  const shape = said.get('sample_aspect_ratio')
  if (!isSquare(shape)) return failed(name, `Its pixels are shown as ${shape}.`)
  if (messages.includes('Display Matrix')) return failed(name, 'Players turn its pictures.')
  return passed(name, `Its pictures have ${is} pixels, as planned.`)
}

/** Times in WebM are whole milliseconds, and a track may count in coarse ticks. */
const mostOffStep = 0.3
/** Seconds: more than the rounding of two times, and less than what a rate of 29.97 in place of 30 adds up to in three seconds. */
const leastOffPace = 0.0022
/** A source whose rate is this close to that of the plan keeps its own. */
const nearly = { least: 0.0005, most: 0.01 } as const
const isNearly = (share: number): boolean =>
  Math.abs(share - 1) > nearly.least && Math.abs(share - 1) < nearly.most
/** The rounding of a step: half a millisecond at both ends, and the ticks of a track. */
const mostRounded = 0.0012

/** Whether pictures follow each other at an even pace, whichever that is: a camera may be late with some of them. */
function isSteady(at: Float64Array): boolean {
  const step = ((at.at(-1) ?? 0) - (at[0] ?? 0)) / Math.max(1, at.length - 1)
  return at.every((now, i) => i === 0 || Math.abs(now - (at[i - 1] ?? 0) - step) < mostRounded)
}

/** Checks that the pictures of a steady film follow each other evenly: one that is missing or repeated breaks the pace. */
function checkSeams({ planned, film: { plan }, tables: { picture } }: Looked): Check {
  const name = 'seams'
  if (plan.video === 'copy' && plan.cutting) {
    return passed(name, 'The pictures around each cut are those of the source.')
  }
  if (plan.video === 'copy' || !plan.hasConstantRate) {
    return passed(name, 'Each picture has the time that its source gives it.')
  }
  const step = 1 / fpsOf(plan.frameRate)
  const tolerance = Math.max(mostOffStep * step, leastOffPace)
  const { at } = picture
  for (let i = 1; i < at.length; i++) {
    const [before, now] = [at[i - 1] ?? 0, at[i] ?? 0]
    const off = now - before - step
    if (Math.abs(off) <= tolerance) continue
    const what = off > 0 ? 'A picture is missing' : 'Two pictures come too fast'
    return failedAt(name, `${what} at ${say(now)} s.`, before, now)
  }
  // Rounding to milliseconds may make each step too long, but not all of them together.
  const due = step * (at.length - 1)
  const off = (at.at(-1) ?? 0) - (at[0] ?? 0) - due
  const isNear = planned.clips.some(({ facts }) => isNearly(facts.video.averageFps * step))
  if (Math.abs(off) > leastOffPace && isSteady(at) && !isNear) {
    const how = off > 0 ? 'slowly' : 'fast'
    return failed(name, `Its pictures come ${say((Math.abs(off) / due) * 100)} % too ${how}.`)
  }
  return passed(name, 'Every picture follows the one before it at the same pace.')
}

const matrixNames: Record<ColorMatrix, readonly string[]> = {
  bt601: ['smpte170m', 'bt470bg', 'fcc'],
  bt709: ['bt709'],
  bt2020: ['bt2020nc', 'bt2020c'],
}
const hdrTransfers = ['smpte2084', 'arib-std-b67']
const hdrMessages = /Mastering|Content light|DOVI|HDR|Dynamic/i

/** Checks that an encode has pictures of 8 bits in limited range, and no remains of HDR. */
function checkColors({ planned, film: { plan }, tables: { said, messages } }: Looked): Check {
  const name = 'colors'
  if (plan.video === 'copy') return passed(name, 'The colours are those of the source, as stored.')
  const { color_range: range = 'tv', color_space: space = 'unknown' } = Object.fromEntries(said)
  const { color_transfer: transfer = 'unknown', pix_fmt: form = '' } = Object.fromEntries(said)
  const { color_primaries: primaries = 'unknown' } = Object.fromEntries(said)
  if (range === 'pc') return failed(name, 'Its colours say that they have the full range.')
  if (form !== 'yuv420p') return failed(name, `Its pictures are stored as ${form}, not yuv420p.`)
  if (hdrTransfers.includes(transfer)) return failed(name, `It says that it is HDR (${transfer}).`)
  const left = messages.find((message) => hdrMessages.test(message))
  if (left !== undefined) return failed(name, `It has a message that only HDR has: ${left}.`)
  const wanted = standardMatrix(planned.clips[0].facts.video)
  if (space !== 'unknown' && !matrixNames[wanted].includes(space)) {
    return failed(name, `Its colours are said to be ${space}; they are ${wanted}.`)
  }
  if (primaries === 'bt2020' && wanted !== 'bt2020') {
    return failed(name, `Its colours are said to be as wide as those of HDR (${primaries}).`)
  }
  return passed(name, 'Standard dynamic range in 8 bits, said as it is.')
}

const playedProfiles: Readonly<Record<string, readonly string[]>> = {
  h264: ['High', 'Main', 'Baseline', 'Constrained Baseline'],
  hevc: ['Main'],
  vp9: ['Profile 0'],
  av1: ['Main'],
}
const playedSounds = {
  mp4: ['aac', 'mp3'],
  mov: ['aac', 'mp3'],
  webm: ['opus', 'vorbis'],
  avi: [],
} as const satisfies Record<string, readonly string[]>
/** As ffprobe gives it: 5.2, which decoders of browsers and phones have. */
const mostLevel = 52
const smallestOfMore = 4096 * 2304

/** Checks that browsers and phones play the film. A copied or requested property that they do not play does not fail it. */
function checkPlayback({ film: { plan }, tables }: Looked): Check {
  const name = 'playback'
  const { codec_name: codec = '', profile = '', level = '0' } = Object.fromEntries(tables.said)
  if (plan.format === 'avi') return passed(name, 'Players open AVI; browsers do not.')
  if (tables.isIndexFirst === false) {
    return failed(name, 'Its index stands behind its pictures, so it plays only once it is loaded.')
  }
  if (plan.video === 'copy') return passed(name, `Its pictures are stored as in the source.`)
  if (codec !== plan.codec) return failed(name, `Its pictures are ${codec}, not ${plan.codec}.`)
  if (!playedProfiles[codec]?.includes(profile)) {
    return failed(name, `Few players show ${codec} in the profile ${profile}.`)
  }
  const isLarge = plan.width * plan.height > smallestOfMore || plan.averageFps > 61
  if (codec === 'h264' && Number(level) > mostLevel && !isLarge) {
    return failed(name, `Its level is ${Number(level) / 10}, which few players show.`)
  }
  if (codec === 'hevc' && tables.said.get('codec_tag_string') !== 'hvc1' && plan.format !== 'webm')
    return failed(name, 'Without the tag hvc1, players of Apple do not show it.')
  const { sound } = tables
  const played: readonly string[] = playedSounds[plan.format]
  if (plan.audio === 'encode' && sound && !played.includes(sound.codec)) {
    return failed(name, `Its sound is ${sound.codec}, which browsers do not play in it.`)
  }
  return passed(name, `Browsers play ${codec} as it is here.`)
}

export function checkDecoded(complaint: string | undefined): Check {
  if (complaint === undefined)
    return passed('decoding', 'What was decoded of it gave no complaint.')
  return failed('decoding', `The decoder complains: ${complaint.split('\n')[0] ?? ''}`)
}

export function passed(name: Check['name'], message: string): Check {
  return { name, result: 'passed', message }
}

export function failed(name: Check['name'], message: string): Check {
  return { name, result: 'failed', message: message.slice(0, 300) }
}

/** A failed check with the seconds of the result in which the fault is seen or heard; with a single moment if `to` is left out. */
export function failedAt(name: Check['name'], message: string, from: number, to = from): Check {
  const stretch = { startTime: thousandths(from), endTime: thousandths(to) }
  return { ...failed(name, message), stretch }
}

/** An uncertain fault is reported as a doubt and does not fail the result. */
export function asDoubt(found: Check): Check {
  return found.result === 'failed' ? { ...found, result: 'warned' } : found
}

export function say(seconds: number): string {
  return String(Math.round(seconds * 100) / 100)
}

/** The place of the picture that is shown at a moment. */
export function pictureAt(at: Float64Array, seconds: number): number {
  return Math.max(0, firstPlace(at.length, (place) => (at[place] ?? 0) > seconds) - 1)
}
