import type { Check } from '../../../../worker/contract/job/check.ts'
import { failed, passed, say, failedAt } from '../check-tables.ts'

/** What a file of moving pictures says about itself. */
export type MovingTables = {
  readonly width: number
  readonly height: number
  /** For how many seconds each picture is shown. */
  readonly delays: readonly number[]
  /** Whether it starts over when it ends. */
  readonly isEndless: boolean
}

/** GIF counts hundredths of a second, so that two pictures may each be off by one. */
const mostOffDelay = { seconds: 0.0115, share: 0.15 } as const

/** Whether pictures come at the planned rate. A picture that repeats the one before may have been merged with it. */
export function checkPace({ delays }: MovingTables, fps: number): Check {
  const name = 'seams'
  const step = 1 / fps
  let at = 0
  // A single picture has no pace.
  for (const delay of delays.length > 1 ? delays : []) {
    const off = Math.abs(delay - Math.max(1, Math.round(delay / step)) * step)
    if (off > Math.max(mostOffDelay.seconds, mostOffDelay.share * step)) {
      const message = `A picture stands for ${say(delay)} s; ${say(fps)} a second were planned.`
      return failedAt(name, message, at, at + delay)
    }
    at += delay
  }
  return passed(name, 'Its pictures follow each other at the pace that was planned.')
}

export function checkEndless({ isEndless }: MovingTables): Check {
  return isEndless
    ? passed('playback', 'It begins again whenever it ends.')
    : failed('playback', 'It stands still once it was shown.')
}

/** The place of the picture that is shown at a moment. */
export function placeShown(delays: readonly number[], seconds: number): number {
  let end = 0
  const place = delays.findIndex((delay) => {
    end += delay
    return end > seconds
  })
  return place < 0 ? Math.max(0, delays.length - 1) : place
}
