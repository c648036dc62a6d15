import type { Element } from '../../../worker/contract/options/elements.ts'

/** Seconds of the output, from `start` up to but not including `end`. */
export type TimeSpan = { readonly start: number; readonly end: number }

/** When an element is shown; undefined if the video ends before that. */
export function elementSpan(timing: Element['timing'], videoSeconds: number): TimeSpan | undefined {
  if (timing === undefined || timing.entireVideo) return { start: 0, end: videoSeconds }
  const start = timing.startTime ?? 0
  const end = Math.min(timing.endTime ?? videoSeconds, videoSeconds)
  return start < end ? { start, end } : undefined
}

export function lateWarning(
  index: number,
  timing: Element['timing'],
  videoSeconds: number,
): string {
  return `elements[${index}] was left out: it starts at ${timing?.startTime} s, and the video ends at ${Number(videoSeconds.toFixed(3))} s.`
}

/** An element that has its time and place in the video, or the warning that says why it has none. */
export type Judged<Placed> = { readonly placed: Placed } | { readonly leftOut: string }

export function sortOut<Placed>(judged: readonly Judged<Placed>[]): {
  placed: Placed[]
  warnings: string[]
} {
  return {
    placed: judged.flatMap((one) => ('placed' in one ? [one.placed] : [])),
    warnings: judged.flatMap((one) => ('leftOut' in one ? [one.leftOut] : [])),
  }
}
