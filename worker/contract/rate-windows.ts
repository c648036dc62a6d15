export type RateWindow = { limit: number; seconds: number }

/** Nobody needs more windows than this to describe a limit. */
const maxWindows = 4

/** `100/60,1000/3600` → 100 requests in 60 seconds and 1000 in an hour. */
export function parseRateLimits(text: string): RateWindow[] {
  const parts = text.split(',')
  if (parts.length > maxWindows) {
    throw new Error(`At most ${maxWindows} windows are possible, found ${parts.length}`)
  }
  const windows = parts.map(parseWindow)
  const twice = windows.find(
    ({ seconds }, index) => windows.findIndex((window) => window.seconds === seconds) !== index,
  )
  if (twice)
    throw new Error(`Two windows of ${twice.seconds} seconds; each length may appear only once`)
  return windows
}

/** An empty text means no windows: reads then count like all other requests. */
export function parseOptionalRateLimits(text: string): RateWindow[] | undefined {
  return text.trim() === '' ? undefined : parseRateLimits(text)
}

const periods: Readonly<Record<number, string>> = {
  1: 'a second',
  60: 'a minute',
  3600: 'an hour',
  86_400: 'a day',
}

/** `1,000 a minute and 20,000 an hour` */
export function describeRateLimits(windows: readonly RateWindow[]): string {
  return windows
    .map(({ limit, seconds }) => {
      return `${limit.toLocaleString('en')} ${periods[seconds] ?? `in ${seconds} seconds`}`
    })
    .join(' and ')
}

function parseWindow(text: string): RateWindow {
  const match = /^\s*([1-9]\d{0,8})\/([1-9]\d{0,8})\s*$/.exec(text)
  if (!match) {
    throw new Error(
      `"${text.trim().slice(0, 40)}" is not a window; write count/seconds, both whole numbers above 0, such as 100/60`,
    )
  }
  return { limit: Number(match[1]), seconds: Number(match[2]) }
}
