import type { Check } from '../../../worker/contract/job/check.ts'
import { loudnessAsked } from '../../../worker/contract/options/sound/loudness.ts'
import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { hasDownmix } from '../../sound/standard-sound.ts'
import { checkChannels } from './check-channels.ts'
import { thousandths } from '../../numbers/thousandths.ts'
import { failed, passed, say, type Looked, failedAt, asDoubt } from './check-tables.ts'
import { checkWaves } from './check-waves.ts'
import type { BytesOf } from './look-at-film.ts'
import {
  firstGap,
  isFlattened,
  levelsAt,
  levelsOf,
  levelsPerSecond,
  meanLevel,
  missingSound,
  type Levels,
  lagBetween,
} from './loudness-over-time.ts'
import {
  heardSeconds,
  joinWanted,
  wantedSound,
  type SoundLooked,
  type WantedPart,
} from './wanted-sound.ts'
import { trackOf, settingOf } from '../../graph/output-track.ts'
import { bringsSound } from '../../sound/sound-request.ts'

/** Whether the requested loudness must be that of the whole film. */
export function measuresLoudness({ planned }: SoundLooked): boolean {
  const { normalizeAudio } = planned.context.job.options
  return loudnessAsked(normalizeAudio) !== undefined && isOwnSound(planned)
}

/** Whether the sound is left as it is: nothing is mixed into it, and its level is not changed. */
function isOwnSound(planned: SoundLooked['planned']): boolean {
  const { volume = 1, fadeIn, fadeOut, mute, replaceUrl } = planned.context.job.options.audio ?? {}
  const isChanged = volume !== 1 || mute === true || (fadeIn ?? fadeOut ?? replaceUrl) !== undefined
  const isOwn = !isChanged && !isMixed(planned)
  return isOwn && planned.clips.every(({ asked }) => (asked.volume ?? 1) === 1)
}

/** A sound as it was read, and what it should sound like. */
type SoundBytes = {
  readonly made: Buffer
  readonly parts: readonly WantedPart[] | undefined
  readonly bytesOf: BytesOf
  /** The output of the loudness meter. */
  readonly meter: string | undefined
  readonly channels: { readonly due: number | undefined; readonly made: number | undefined }
  /** How its sound is encoded; absent if it is copied. */
  readonly coding: readonly string[] | undefined
  /** The sound that the plan makes from its sources, if it differs from theirs. */
  readonly planned?: Buffer | undefined
}

type HeardLevels = {
  readonly made: Levels
  readonly wanted: Levels | undefined
  readonly meter: string | undefined
}

export function checkSound(looked: SoundLooked, read: SoundBytes): Check[] {
  const { planned } = looked
  const { speed = 1 } = planned.timeline
  const joined = read.parts && joinWanted(read.parts, read.bytesOf)
  const most = Math.round(heardSeconds(looked) * levelsPerSecond)
  const wanted = joined && levelsAt(levelsOf(joined), speed).subarray(0, most)
  const heard = { made: levelsOf(read.made), wanted, meter: read.meter }
  const remade = read.planned && levelsOf(read.planned)
  // A limiter changes what was mixed into fewer channels.
  const limited = (hasDownmix(planned.clips) && remade) || wanted
  // At another speed only the levels can be compared, and sounds that are mixed in have sides of their own.
  const isAsRead = speed === 1 && !isMixed(planned)
  const checks = [
    checkSilence(looked, heard),
    checkChannels(read.channels, { made: read.made, wanted: isAsRead ? joined : undefined }),
    // What is heard of the sources among other sounds, if anything, says little.
    checkSync(looked, isMixed(planned) ? { ...heard, wanted: remade } : heard),
    checkLoudness(looked, { ...heard, wanted: limited }),
  ]
  if (checks.some(({ result }) => result !== 'passed')) return checks
  const due = read.planned ?? (isHeardAsRead(planned) ? joined : undefined)
  const fault = due && checkWaves(read.made, due, hasFewBits(read) ? 'few' : 'usual')
  return checks.map((one) => (fault?.name === one.name ? fault : one))
}

/** With fewer kilobits a channel than this, the waves of rain and applause are not preserved. */
const leastFaithful = 80

function hasFewBits({ coding = [], channels }: SoundBytes): boolean {
  const told = settingOf(coding, '-b:a')
  const kilobits = told === undefined ? Infinity : Number.parseInt(told, 10)
  return kilobits / Math.max(1, channels.made ?? 2) < leastFaithful
}

/** Whether each wave of the film should be a wave of the sound that was read for it. */
function isHeardAsRead(planned: SoundLooked['planned']): boolean {
  const { speed = 1 } = planned.timeline
  const isChanged = hasDownmix(planned.clips) || planned.sound?.gainDb !== undefined || speed !== 1
  return isOwnSound(planned) && !isChanged
}

/** The sound that the plan makes from its sources, unless it sounds the same as they do. */
export function soundMadeAgain(looked: Looked): Stream<'audio'> | undefined {
  const { planned, film } = looked
  const isKnown = isHeardAsRead(planned) && wantedSound(looked) !== undefined
  if (film.plan.audio !== 'encode' || isKnown) return undefined
  const stream = trackOf(film.plan.tracks, 'audio')?.stream
  const isMono = film.facts.audio?.channels === 1
  if (!stream) return undefined
  const own = stream as Stream<'audio'>
  return isMono
    ? pipeAll(own, [
        ['aformat', { channel_layouts: 'mono' }],
        ['pan', { args: 'stereo|c0=c0|c1=c0' }],
      ])
    : own
}

function isMixed({ context }: SoundLooked['planned']): boolean {
  const { elements = [] } = context.job.options
  return elements.some(bringsSound)
}

/** The range of the levels in which no fade of the sound was requested. */
function unfadedIn({ planned, film: { plan } }: SoundLooked) {
  const { fadeIn, fadeOut } = planned.context.job.options.audio ?? {}
  const end = plan.durationSeconds - (fadeOut?.duration ?? 0)
  return {
    begin: Math.round((fadeIn?.duration ?? 0) * levelsPerSecond),
    end: Math.round(end * levelsPerSecond),
  }
}

function checkSilence(looked: SoundLooked, { made, wanted }: HeardLevels): Check {
  const name = 'silence'
  const { planned } = looked
  const { volume = 1 } = planned.context.job.options.audio ?? {}
  const isLow = volume < 0.1 || planned.clips.some(({ asked }) => (asked.volume ?? 1) < 0.1)
  if (!wanted || isLow || isMixed(planned)) {
    return passed(name, 'What it has to sound like is not known, or is mixed with other sounds.')
  }
  const { begin, end } = unfadedIn(looked)
  const isFaded = (place: number): boolean => place < begin || place > end
  const missing = missingSound(made, wanted, isFaded)
  const gap = missing ? undefined : firstGap(made, wanted, isFaded)
  if (gap !== undefined) {
    const at = thousandths(gap / levelsPerSecond)
    return failedAt(name, `Its sound has gaps, the first one at ${say(at)} s.`, at)
  }
  if (!missing) return passed(name, 'It is silent only where it has to be.')
  const [from, to] = [missing.from / levelsPerSecond, missing.to / levelsPerSecond]
  const where = `from ${say(from)} to ${say(to)} s`
  return failedAt(name, `It is silent where its source is heard: ${where}.`, from, to)
}

const windowSeconds = 12
const noticedSeconds = 0.06
const wrongSeconds = 0.1
const mostMissingSeconds = 0.3

function checkSync(looked: SoundLooked, { made, wanted }: HeardLevels): Check {
  const name = 'sync'
  const { planned } = looked
  const seconds = made.length / levelsPerSecond
  // A mixed sound lasts as long as the film, whatever the length of its parts.
  const source = (wanted?.length ?? 0) / levelsPerSecond
  const whole = heardSeconds(looked)
  const due = isMixed(planned) ? whole : Math.min(source, whole)
  if (due - seconds > mostMissingSeconds) {
    return failedAt(name, `Its sound ends ${say(due - seconds)} s too early.`, seconds, due)
  }
  if (!wanted) return passed(name, 'Its picture and its sound end when they have to.')
  // A rhythm that fades fits better a beat before or behind its place.
  const { begin, end } = unfadedIn(looked)
  const all = Math.min(made.length, wanted.length, end)
  const window = Math.min(all - begin, windowSeconds * levelsPerSecond)
  const lags = [begin, all - window].map((from) => ({
    from,
    ...lagBetween(made, wanted, from, from + window),
  }))
  // A changed level or a fade may leave little to compare.
  const other = isOwnSound(planned) ? lags.find(({ isOther }) => isOther) : undefined
  // The levels of a sound that falls silent for a while differ too.
  if (other && !missingSound(made, wanted, () => false)) {
    const ends = [other.from, other.from + window].map((one) => one / levelsPerSecond)
    return failedAt(name, 'It has another sound than was planned.', ends[0] ?? 0, ends[1])
  }
  const off = lags.find(({ isClear, seconds: lag }) => isClear && Math.abs(lag) >= noticedSeconds)
  if (!off) return passed(name, 'Its sound is in time with its picture, from beginning to end.')
  const [first, last] = lags
  const drifts = Math.abs((first?.seconds ?? 0) - (last?.seconds ?? 0)) >= noticedSeconds
  const how = `${say(Math.abs(off.seconds))} s too ${off.seconds > 0 ? 'late' : 'early'}`
  const what = drifts ? `Its sound drifts: it is ${how} in a part.` : `Its sound is ${how}.`
  const isWrong = Math.abs(off.seconds) >= wrongSeconds
  const [from, to] = [off.from / levelsPerSecond, (off.from + window) / levelsPerSecond]
  const told = failedAt(name, what, from, to)
  return isWrong ? told : asDoubt(told)
}

const tolerance = { loudness: 1.5, peak: 1 } as const
const wrong = { loudness: 4, peak: 3 } as const
/** The loudness of a shorter or fainter sound is not meaningful. */
const leastMeasured = { seconds: 1, loudness: -60 } as const
const leastCompared = -50
const mostOtherLevel = 3
/** At another speed, sounds begin and end early or late by up to this many levels. */
const blurred = 4

function checkLoudness(looked: SoundLooked, { made, wanted, meter }: HeardLevels): Check {
  const name = 'loudness'
  const { planned, film } = looked
  const asked = loudnessAsked(planned.context.job.options.normalizeAudio)
  const measured = meter === undefined ? undefined : readMeter(meter)
  if (asked && measured) return judgeMeasured(looked, asked, measured)
  const isLevel = planned.sound?.gainDb === undefined && isOwnSound(planned)
  if (!wanted || !isLevel || film.plan.sound?.hasNoiseRemoved) {
    return passed(name, 'No loudness was asked for.')
  }
  const length = Math.min(made.length, wanted.length)
  const [is, was] = [made, wanted].map((one) => meanLevel(one.subarray(0, length)))
  const off = (is ?? 0) - (was ?? 0)
  if ((was ?? 0) < leastCompared) return passed(name, 'It is as faint as its source.')
  const { speed = 1 } = planned.timeline
  if (isFlattened(made, wanted, speed === 1 ? 0 : blurred)) {
    return failed(name, 'Its quiet parts are not as quiet beside its loud ones as in its source.')
  }
  if (Math.abs(off) <= mostOtherLevel) return passed(name, 'It is as loud as its source.')
  const how = off > 0 ? 'louder' : 'quieter'
  return failed(name, `It is ${say(Math.abs(off))} dB ${how} than its source.`)
}

type MeasuredLevel = { readonly loudness: number; readonly peakDb: number }

function judgeMeasured(
  { film: { plan, facts } }: SoundLooked,
  asked: { target: number; peak: number },
  { loudness, peakDb }: MeasuredLevel,
): Check {
  const name = 'loudness'
  const isShort = facts.durationSeconds < leastMeasured.seconds
  if (isShort || loudness < leastMeasured.loudness)
    return passed(name, 'It is too short or silent.')
  const [off, over] = [Math.abs(loudness - asked.target), peakDb - asked.peak]
  const is = `It has ${say(loudness)} LUFS and peaks of ${say(peakDb)} dBTP`
  // A warning has then already said that the loudness could not be reached.
  const isSaid = plan.warnings.some((warning) => warning.startsWith('normalizeAudio'))
  if (over <= tolerance.peak && (off <= tolerance.loudness || isSaid)) {
    return passed(name, `${is}; ${asked.target} and ${asked.peak} were asked for.`)
  }
  const isWrong = over > wrong.peak || (off > wrong.loudness && !isSaid)
  const told = failed(name, `${is}, and not ${asked.target} and at most ${asked.peak}.`)
  return isWrong ? told : asDoubt(told)
}

/** The last values in the output of the meter. */
function readMeter(text: string): MeasuredLevel | undefined {
  const last = (key: string): number => {
    const at = text.lastIndexOf(`${key}=`)
    return at < 0 ? Number.NaN : Number.parseFloat(text.slice(at + key.length + 1))
  }
  const [loudness, peak] = [last('lavfi.r128.I'), last('lavfi.r128.true_peak')]
  if (!Number.isFinite(loudness) || !(peak > 0)) return undefined
  return { loudness, peakDb: 20 * Math.log10(peak) }
}
