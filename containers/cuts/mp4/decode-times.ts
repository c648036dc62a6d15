import { firstPlace } from '../../../worker/contract/first-place.ts'

/** When the packets of a film are decoded, and how long the last one lasts. */
export type DecodeTimes = { readonly at: Float64Array; readonly lastStep: number }

/**
 * Gives packets in decoding order the times at which they are decoded (stts; ctts has the rest): those of showing in ascending order, as many
 * places late as a decoder has to hold pictures back, so the first ones come before zero. All are whole ticks.
 *
 * Players take a packet to last until the next one is decoded, and a film until the last of its pictures has ended, or as
 * long as all of its packets together. Both come to `end`.
 */
export function decodeTimes(shown: Float64Array, end: number): DecodeTimes {
  // `Float64Array.from` would collect the numbers of hours in a list first.
  const ordered = shown.slice().sort()
  const placeOf = (time: number): number =>
    firstPlace(ordered.length, (place) => (ordered[place] ?? 0) >= time)
  const heldBack = shown.reduce((most, at, i) => Math.max(most, i - placeOf(at)), 0)
  const at = shown.map((_, i) => ordered[Math.max(0, i - heldBack)] ?? 0)
  endIn(at, shown, { end, from: heldBack })
  const count = shown.length
  const rest = end - (shown[count - 1] ?? 0)
  const isShownLast = shown[count - 1] === ordered[count - 1]
  const lastStep = Math.max(1, isShownLast ? rest : Math.min(rest, Math.round(end / count)))
  const first = ordered[0] ?? 0
  const start = Math.min(first - heldBack, first - (end - (at[count - 1] ?? 0) - lastStep))
  for (let i = 0; i < heldBack; i++) at[i] = Math.round(start + ((first - start) * i) / heldBack)
  return { at, lastStep }
}

/** No packet lasts beyond the end. The picture that is shown last lasts until the end if possible. */
function endIn(
  at: Float64Array,
  shown: Float64Array,
  { end, from }: { end: number; from: number },
): void {
  // The latest time that is before its own display time and leaves each later picture a tick.
  const latestAt = shown.slice()
  for (let i = shown.length - 2; i >= from; i--) {
    latestAt[i] = Math.min(latestAt[i] ?? 0, (latestAt[i + 1] ?? 0) - 1)
  }
  const latest = shown.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY)
  for (let i = from; i + 1 < at.length; i++) {
    const [begin = 0, next = 0, time = 0, mostNext = 0] = [
      at[i],
      at[i + 1],
      shown[i],
      latestAt[i + 1],
    ]
    const left = Math.max(1, end - time)
    const wanted = next - begin > left || time === latest ? begin + left : next
    at[i + 1] = Math.min(mostNext, Math.max(begin + 1, wanted))
  }
}
