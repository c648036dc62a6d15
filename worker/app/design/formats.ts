/** A duration as it is read in a sentence: "0.4 s", "38 s", "1 min 12 s", "2 h 5 min". */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const parts =
    hours > 0
      ? [`${hours} h`, minutes && `${minutes} min`]
      : [`${minutes} min`, rest && `${rest} s`]
  return parts.filter(Boolean).join(' ')
}

/** A place in a video, as players write it: "0:38", "12:05", "1:02:03". */
export function formatTimecode(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const steps = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3600 },
  { unit: 'min', seconds: 60 },
] as const

/** How long ago, or how soon: "just now", "3 min ago", "in 2 h", and the date after a month. */
export function formatAge(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1000)
  const distance = Math.abs(seconds)
  if (distance < 45) return seconds >= 0 ? 'just now' : 'in a moment'
  if (distance >= 30 * 86_400) return new Date(at).toISOString().slice(0, 10)
  const { unit, seconds: one } = steps.find((step) => distance >= step.seconds) ?? steps[2]
  const amount = `${Math.max(1, Math.floor(distance / one))} ${unit}`
  return seconds >= 0 ? `${amount} ago` : `in ${amount}`
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A size for people: "512 B", "4.2 MB", "48 MB". */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const shown = unit === 0 || value >= 9.95 ? Math.round(value) : Number(value.toFixed(1))
  return `${shown} ${units[unit] ?? ''}`
}

/** "12,000" */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-US')
}

/** "1 video", "3 videos", "12,000 videos". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** An exact time for people, in UTC: "2026-11-22 10:52:07 UTC". */
export function formatMoment(at: string): string {
  return `${at.slice(0, 19).replace('T', ' ')} UTC`
}
