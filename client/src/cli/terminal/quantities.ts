const units = ['kB', 'MB', 'GB', 'TB']

/** `3.4 MB`, in powers of ten as `ls --si` and file managers count. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  let value = bytes
  let unit = ''
  for (const next of units) {
    if (value < 999.5) break
    value /= 1000
    unit = next
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

/** `42 s`, `3 min 20 s`, `1 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 9.95 && !Number.isInteger(seconds)) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return joined(minutes, 'min', whole % 60, 's')
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

type SecondsLeft = {
  secondsLeft?: number | undefined
  secondsLeftRange?: { least: number; most: number } | undefined
}

/**
 * `about 2 min left`; `20 s to 2 min left` where that is what is known. `passed`: seconds since it was told. Work that takes
 * longer than told does not count down to nothing.
 */
export function leftText(
  { secondsLeft, secondsLeftRange: range }: SecondsLeft,
  passed = 0,
): string | undefined {
  if (secondsLeft === undefined) return undefined
  const rough = (seconds: number) => roughText(Math.max(seconds - passed, passed / 4))
  if (!range || range.most - passed < 2 * Math.max(1, range.least - passed)) {
    return `about ${rough(secondsLeft)} left`
  }
  const [least, most] = [rough(range.least), rough(range.most)]
  return least === most ? `about ${most} left` : `${least} to ${most} left`
}

/** As exactly as a person would say it. */
function roughText(seconds: number): string {
  if (seconds < 9) return durationText(Math.max(1, Math.ceil(seconds)))
  const step = seconds < 57.5 ? 5 : seconds < 285 ? 30 : seconds < 3570 ? 60 : 300
  return durationText(Math.round(seconds / step) * step)
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}

/** `5 min ago`; the date when it is longer ago than a week. */
export function agoText(iso: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1000)
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  const days = Math.floor(seconds / 86_400)
  if (days <= 7) return days === 1 ? '1 day ago' : `${days} days ago`
  return iso.slice(0, 10)
}
