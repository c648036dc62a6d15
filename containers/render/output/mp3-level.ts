import { pipe, type Stream } from '../../graph/filter-graph.ts'

/** The factors by which LAME lowers every sound, each up to this rate; it has no option that turns this off. */
const lowered = [
  { belowKilobits: 176, factor: 0.95 },
  { belowKilobits: 208, factor: 0.97 },
  { belowKilobits: 240, factor: 0.98 },
]

/** Raises a sound by what LAME takes from it at this rate, so that it is as loud in an MP3 as in any other file. */
export function levelForMp3(sound: Stream<'audio'>, kilobits: number): Stream<'audio'> {
  const factor = lowered.find(({ belowKilobits }) => kilobits < belowKilobits)?.factor ?? 1
  return factor === 1 ? sound : pipe(sound, 'volume', { volume: (1 / factor).toFixed(4) })
}
