import { drawLength } from '../../bench/model/day/simulate-day.ts'
import { slotsFor } from '../../bench/model/loads.ts'
import { perHourFor } from '../../bench/model/day/traffic.ts'
import { Random } from '../../fuzz/random.ts'
import type { Mutation } from '../engine/program.ts'
import { secondsOf } from './work-pace.ts'

/** A day with this many videos, spread over the hours and the accounts as in the model of docs/operators/scale.md. */
export type BusyDay = {
  videos: number
  accounts: number
  seed: number
  until: number
  /** How many there are, if not as many as in the model; with few, a small day has long lines too. */
  containers?: number | undefined
}

/** Its clients are told by webhooks and ask now and then, and the model is told so. */
export const statusEverySeconds = 20

/**
 * The reports of a media worker that works are four fifths of all requests. They are alike, and reach neither the database nor
 * the bucket, so these media workers send fewer: one at each phase, and one every `heartbeatSeconds` in between.
 */
const heartbeatSeconds = 10
export const slowHeartbeat: Mutation = {
  file: 'containers/job/report/send-report.ts',
  find: 'const tellAgainMs = 5_000',
  replace: `const tellAgainMs = ${heartbeatSeconds}_000`,
}

/** The same for the model. */
export const paces = { reportsAMinute: reportsAMinute(), statusEverySeconds }

/** One report tells that the work has begun; each further one comes when a phase has gone on for so long. */
function reportsAMinute(): number {
  const random = new Random(1)
  let [seconds, reports] = [0, 0]
  for (let job = 0; job < 10_000; job++) {
    const length = drawLength(random)
    reports++
    for (const phaseSeconds of Object.values(secondsOf)) {
      seconds += length * phaseSeconds
      reports += Math.floor((length * phaseSeconds) / heartbeatSeconds)
    }
  }
  return (60 * reports) / seconds
}

export function modelDayOf({ videos, accounts, seed, until, containers }: BusyDay) {
  const perHour = perHourFor(videos)
  const slots = containers ?? slotsFor({ perHour })
  return { perHour, slots, from: 0, until, seed, accounts, paces }
}
