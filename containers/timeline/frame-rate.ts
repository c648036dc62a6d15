/** Frames a second as a fraction, so that 29.97 does not drift over an hour. */
export type FrameRate = { readonly frames: number; readonly seconds: number }

const standardRates: readonly FrameRate[] = [
  { frames: 24_000, seconds: 1001 },
  { frames: 24, seconds: 1 },
  { frames: 25, seconds: 1 },
  { frames: 30_000, seconds: 1001 },
  { frames: 30, seconds: 1 },
  { frames: 50, seconds: 1 },
  { frames: 60_000, seconds: 1001 },
  { frames: 60, seconds: 1 },
]

export const maxFrameRate = 120
/** Pictures that come in bursts are not shown faster than this. */
const mostUsualFps = 60

/** The error of a time that was rounded once to the time base of a container: at worst to milliseconds, as in WebM. */
export const mostRoundingSeconds = 0.0011

export function fpsOf(rate: FrameRate): number {
  return rate.frames / rate.seconds
}

/** As ffmpeg options take it: `30000/1001`. */
export function rateText(rate: FrameRate): string {
  return `${rate.frames}/${rate.seconds}`
}

/** A rate as it is asked for: 29.97 means 30000/1001, as everywhere. */
export function rateOf(fps: number | string): FrameRate {
  if (typeof fps === 'string') return parseRate(fps) ?? rateOf(Number(fps))
  const hundredths = standardRates.find((rate) => Math.abs(fpsOf(rate) - fps) < 0.005)
  return hundredths ?? { frames: Math.round(fps * 1000), seconds: 1000 }
}

/** `30000/1001` as ffprobe prints it; undefined for `0/0`. */
export function parseRate(text: string | undefined): FrameRate | undefined {
  const [frames = 0, seconds = 0] = (text ?? '').split('/').map(Number)
  return frames > 0 && seconds > 0 ? { frames, seconds } : undefined
}

/**
 * The best steady rate for a video. The nominal rate is right if the average is near it (a phone that dropped some
 * frames). Odd time stamps make it nonsense such as 57600: then the most frequent step decides, so that motion stays
 * smooth between long stills, or else the average.
 */
export function steadyRate(
  nominal: FrameRate | undefined,
  average: FrameRate | undefined,
  usualFps?: number,
): FrameRate {
  const averageFps = average ? fpsOf(average) : undefined
  const nominalFps = nominal ? fpsOf(nominal) : undefined
  const isNominalFit =
    nominalFps !== undefined &&
    ((averageFps !== undefined && nominalFps < averageFps * 1.12) ||
      (usualFps !== undefined && isSameInMilliseconds(nominalFps, usualFps)))
  const steadyFps = usualFps === undefined ? averageFps : Math.min(usualFps, mostUsualFps)
  const fps = (isNominalFit ? nominalFps : steadyFps) ?? Math.min(nominalFps ?? 25, 60)
  return nearestRate(Math.min(Math.max(fps, 1), maxFrameRate))
}

/** 33 ms in WebM may mean a thirtieth of a second. */
function isSameInMilliseconds(fps: number, other: number): boolean {
  return Math.abs(1 / fps - 1 / other) < mostRoundingSeconds
}

/** Returns the standard rate if one is within half a percent; else rounds to a thousandth. */
export function nearestRate(fps: number): FrameRate {
  const ranked = standardRates
    .map((rate) => ({ rate, off: Math.abs(fpsOf(rate) - fps) / fps }))
    .sort((a, b) => a.off - b.off)
  const [best] = ranked
  if (best && best.off < 0.005) return best.rate
  return { frames: Math.round(fps * 1000), seconds: 1000 }
}
