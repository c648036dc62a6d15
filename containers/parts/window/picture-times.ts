import { firstPlace } from '../../../worker/contract/first-place.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'

/** When the pictures at one place of a graph are shown, in seconds, if the whole film is made. */
export type PictureTimes = {
  /** The steady rate that they have, if a filter gave them one. */
  readonly rate: FrameRate | undefined
  /** Undefined if that is only known once they are made. */
  readonly count: number | undefined
  readonly at: (place: number) => number
  /** The place of the last one that is shown at or before this time; -1 if none is. */
  readonly lastUpTo: (seconds: number) => number
}

export function storedTimes(times: Float64Array): PictureTimes {
  return {
    rate: undefined,
    count: times.length,
    at: (place) => times[place] ?? Number.POSITIVE_INFINITY,
    lastUpTo: (seconds) => firstPlace(times.length, (place) => (times[place] ?? 0) > seconds) - 1,
  }
}

export function steadyTimes(rate: FrameRate, count?: number, begin = 0): PictureTimes {
  const fps = fpsOf(rate)
  const most = count === undefined ? Number.POSITIVE_INFINITY : count - 1
  return {
    rate,
    count,
    at: (place) => begin + (place * rate.seconds) / rate.frames,
    // A time that was computed in another way differs by less than a millionth of a picture.
    lastUpTo: (seconds) => Math.max(-1, Math.min(most, Math.floor((seconds - begin) * fps + 1e-6))),
  }
}

/** The same pictures at another speed. */
export function scaledTimes(times: PictureTimes, speed: number): PictureTimes {
  return {
    ...times,
    rate: undefined,
    at: (place) => times.at(place) / speed,
    lastUpTo: (seconds) => times.lastUpTo(seconds * speed),
  }
}

/** The same pictures, all of them later. */
export function movedTimes(times: PictureTimes, later: number): PictureTimes {
  return {
    ...times,
    at: (place) => times.at(place) + later,
    lastUpTo: (seconds) => times.lastUpTo(seconds - later),
  }
}
