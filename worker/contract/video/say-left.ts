import type { VideoRecord } from './video-record.ts'

type Told = Pick<VideoRecord, 'secondsLeft' | 'secondsLeftRange'>

/** "about 2 min left"; "20 s to 2 min left" where that is what is known. */
export function sayLeft({ secondsLeft, secondsLeftRange: range }: Told): string | undefined {
  if (secondsLeft === undefined) return undefined
  if (!range || range.most < 2 * Math.max(1, range.least)) return `about ${rough(secondsLeft)} left`
  const [least, most] = [rough(range.least), rough(range.most)]
  return least === most ? `about ${most} left` : `${least} to ${most} left`
}

/** The same after some time, without hearing more. */
export function leftAfter({ secondsLeft, secondsLeftRange: range }: Told, passed: number): Told {
  const after = (seconds: number) => Math.max(0, seconds - passed)
  return {
    ...(secondsLeft !== undefined && { secondsLeft: after(secondsLeft) }),
    ...(range && { secondsLeftRange: { least: after(range.least), most: after(range.most) } }),
  }
}

/** As exactly as a person would say it. */
function rough(seconds: number): string {
  if (seconds < 9) return `${Math.max(1, Math.ceil(seconds))} s`
  const step = seconds < 57.5 ? 5 : seconds < 285 ? 30 : seconds < 3570 ? 60 : 300
  const whole = Math.round(seconds / step) * step
  if (whole < 60) return `${whole} s`
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const parts = [hours && `${hours} h`, minutes && `${minutes} min`, rest && `${rest} s`]
  return parts.filter(Boolean).join(' ')
}
