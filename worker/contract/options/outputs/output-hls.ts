import { z } from 'zod'
import type { FieldFault } from '../../answers/errors.ts'
import { worded } from '../../answers/wording.ts'
import { limits } from '../../limits.ts'
import type { FaultAt } from './output-pictures.ts'

/** A folder of playlists and films for players that choose a size by the speed of the network. */
export const hlsFormat = 'hls'

/** Sizes by the shorter side; those that the film has are made. */
export const usualHeights: readonly number[] = [1080, 720, 480, 360]

const leastHeight = 144
const inRange = `Must be from ${leastHeight} to ${limits.hlsHeight}`

const height = worded(
  z
    .int()
    .min(leastHeight, inRange)
    .max(limits.hlsHeight, inRange)
    .multipleOf(2, 'Must be even: players expect pictures with even sides'),
  'an even whole number of pixels such as 720',
)

/** Sizes that differ by less look the same, and all of them are in memory at once. */
function areSteps(heights: readonly number[]): boolean {
  const ordered = heights.toSorted((a, b) => a - b)
  return ordered.every((one, i) => i === 0 || one * 10 >= (ordered[i - 1] ?? 0) * 11)
}

export const hlsHeights = worded(
  z
    .array(height)
    .min(1, 'Must name at least one height')
    .max(limits.hlsHeights, `At most ${limits.hlsHeights} heights`)
    .refine(areSteps, 'Each must differ from the others by at least a tenth'),
  'a list such as [1080, 720, 480]',
)

export function isHls(format: string | undefined): format is typeof hlsFormat {
  return format === hlsFormat
}

/** Only a stream has several heights. */
export function heightsFaults(
  { heights }: { readonly heights?: unknown },
  at: FaultAt,
): FieldFault[] {
  if (heights === undefined) return []
  return [at('heights', 'Needs outputFormat "hls"; other formats have width and height')]
}

const unused = {
  width: 'Not used with hls, whose sizes are its heights',
  height: 'Not used with hls, whose sizes are its heights',
  videoCodec: 'Not used with hls, which is H.264 for all players',
  maxBytes: 'Not used with hls, each of whose sizes has a rate of its own',
  maxBitrate: 'Not used with hls, each of whose sizes has a rate of its own',
} as const

/** Faults of options that a stream does not have, and of rates higher than a stream can have. */
export function hlsFaults(
  output: { readonly [Field in keyof typeof unused]?: unknown },
  fps: number | undefined,
  at: FaultAt,
): FieldFault[] {
  const faults = (Object.keys(unused) as (keyof typeof unused)[])
    .filter((field) => output[field] !== undefined)
    .map((field) => at(field, unused[field]))
  const isTooFast = fps !== undefined && fps > limits.hlsFps
  return isTooFast ? [...faults, at('fps', `Must be at most ${limits.hlsFps} with hls`)] : faults
}
