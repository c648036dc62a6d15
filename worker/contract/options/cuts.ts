import { z } from 'zod'
import type { FieldFault } from '../answers/errors.ts'
import { worded } from '../answers/wording.ts'
import { closedObject } from '../input/closed-object.ts'
import { limits } from '../limits.ts'
import { seconds, time } from './time.ts'

export const segment = worded(
  closedObject(
    {
      startTime: seconds.describe('Second at which the part begins'),
      endTime: time().describe('Second at which the part ends'),
    },
    { duration: 'Unknown field; a segment ends at its endTime, in seconds of the source' },
  ).refine((s) => s.endTime > s.startTime, {
    path: ['endTime'],
    message: 'Must be after startTime',
  }),
  'an object such as {"startTime": 1, "endTime": 2}',
)

export const segments = worded(
  z.array(segment).max(limits.removeSegments, `At most ${limits.removeSegments} segments`),
  'a list such as [{"startTime": 1, "endTime": 2}]',
)

/** A list without parts would keep nothing, which cannot be meant. */
export const keptSegments = worded(
  segments.min(1, 'Must name at least one segment'),
  'a list such as [{"startTime": 1, "endTime": 2}]',
)

export const trim = worded(
  closedObject({
    start: seconds.optional().describe('Seconds taken off the beginning'),
    end: seconds.optional().describe('Seconds taken off the end'),
  }),
  'an object such as {"start": 2.5, "end": 1}',
)

type AskedCuts = { readonly removeSegments?: unknown; readonly keepSegments?: unknown }

/** Naming both what is kept and what is removed is contradictory. */
export function cutFaults({
  files = [],
  ...whole
}: AskedCuts & { readonly files?: readonly AskedCuts[] | undefined }): FieldFault[] {
  const places = [{ cuts: whole, within: '' }].concat(
    files.map((cuts, i) => ({ cuts, within: `files[${i}].` })),
  )
  return places
    .filter(({ cuts }) => cuts.keepSegments !== undefined && cuts.removeSegments !== undefined)
    .map(({ within }) => ({
      field: `${within}keepSegments`,
      message: 'Give either keepSegments or removeSegments, not both',
    }))
}
