import { pipeAll, type Stream } from '../graph/filter-graph.ts'

/**
 * A codec begins with samples of its own. Where the container cannot say how many to leave out, as many of the sound
 * are left out before: what follows is heard beside its picture. Late sound and holes become silence, because such a
 * container has no times either.
 */
export function makeUpDelay(
  stream: Stream<'audio'>,
  sampleRate: number,
  delaySamples: number,
): Stream<'audio'> {
  return pipeAll(stream, [
    ['aresample', { sample_rate: sampleRate, async: 1, first_pts: 0 }],
    ['atrim', { start_sample: delaySamples }],
    ['asetpts', { expr: 'PTS-STARTPTS' }],
  ])
}
