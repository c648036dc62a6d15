import { pipeAll, type Stream } from '../../graph/filter-graph.ts'

/**
 * A codec adds samples before the sound. If the container cannot say how many to skip, the same number of samples is
 * dropped from the sound, so that it stays in time with the picture. Late sound and gaps become silence, because such a
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
