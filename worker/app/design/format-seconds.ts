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
