import type { VideoRecord } from './video-record.ts'

type LeftShown = Pick<VideoRecord, 'secondsLeft' | 'secondsLeftRange'>

/** "about 2 min left"; "20 s to 2 min left" where that is what is known. */
export function sayLeft({ secondsLeft, secondsLeftRange: range }: LeftShown): string | undefined {
  if (secondsLeft === undefined) return undefined
  if (!range || range.most < 2 * Math.max(1, range.least))
    return `about ${sayRoughly(secondsLeft)} left`
  const [least, most] = [sayRoughly(range.least), sayRoughly(range.most)]
  return least === most ? `about ${most} left` : `${least} to ${most} left`
}

/** Work that has taken this share of what was told may take longer than told. */
const lateShare = 0.8
/** Work that takes longer than told goes on for at least this share of the time that has passed. */
const lateRest = 0.25
/** A job that runs takes at least this much longer, until it tells that it has ended. */
const leastSeconds = 0.5

type Left = { seconds: number; least: number; most: number }

/**
 * The time that is left some seconds after it was told, without hearing more: it never counts down to nothing, and its
 * range widens once the job should have ended.
 */
export function ageLeft({ seconds, least, most }: Left, passed: number): Left {
  const left = Math.max(seconds - passed, passed * lateRest, Math.min(seconds, leastSeconds))
  const isLate = passed > seconds * lateShare
  return {
    seconds: left,
    least: Math.max(0, Math.min(least - passed, left)),
    most: Math.max(most - passed, isLate ? left * 3 : left),
  }
}

/** The same for what a record says. */
export function leftAfter(
  { secondsLeft, secondsLeftRange: range }: LeftShown,
  passed: number,
): LeftShown {
  if (secondsLeft === undefined) return {}
  const told = { least: secondsLeft, most: secondsLeft, ...range, seconds: secondsLeft }
  const { seconds, least, most } = ageLeft(told, passed)
  const isCertain = !range && most <= Math.max(seconds, leastSeconds)
  return { secondsLeft: seconds, ...(!isCertain && { secondsLeftRange: { least, most } }) }
}

/** As exactly as a person would say it. */
export function sayRoughly(seconds: number): string {
  if (seconds < 9) return `${Math.max(1, Math.ceil(seconds))} s`
  const step = seconds < 57.5 ? 5 : seconds < 285 ? 30 : seconds < 3570 ? 60 : 300
  const whole = Math.round(seconds / step) * step
  if (whole < 60) return `${whole} s`
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const parts = [hours && `${hours} h`, minutes && `${minutes} min`, rest && `${rest} s`]
  return parts.filter(Boolean).join(' ')
}
