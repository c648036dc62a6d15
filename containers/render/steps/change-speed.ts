import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { changeTempo } from '../../sound/change-tempo.ts'
import { sampleCount } from '../../sound/dsp/pcm.ts'
import { fitSound } from '../../sound/standard-sound.ts'
import { finishedLength } from '../../timeline/timeline.ts'
import { rateText } from '../../timeline/frame-rate.ts'
import { steadied } from '../elements/without-gaps.ts'
import { renderStep } from '../render-state.ts'
import { heard } from './mix-audio.ts'

/**
 * Plays what the cuts leave faster or slower, at the same number of pictures a second: some are dropped or repeated, evenly.
 * Every later step counts in the finished time.
 */
export const changeSpeed = renderStep({
  name: 'change-speed',
  reads: ['speed'],
  apply(state, { speed = 1 }) {
    if (speed === 1) return state
    const { frameRate, isReplaced, audio } = state
    const durationSeconds = finishedLength(state.durationSeconds, { frameRate, speed })
    const sound = isReplaced ? undefined : heard(state)
    return steadied({
      ...state,
      durationSeconds,
      video: pipeAll(state.video, [
        ['settb', { expr: '1/1000000' }],
        // A little early, so that a picture takes the same place of the steady rate however its time was computed.
        ['setpts', { expr: `round(PTS/${speed}-0.0001/TB)` }],
        // At each place, the picture that is shown at its moment.
        ['fps', { fps: rateText(frameRate), round: 'up', start_time: 0 }],
      ]),
      audio: sound
        ? stretched(fitSound(sound, sampleCount(state.durationSeconds)), speed, durationSeconds)
        : audio,
    })
  },
})

function stretched(sound: Stream<'audio'>, speed: number, seconds: number): Stream<'audio'> {
  const samples = sampleCount(seconds)
  return pipeAll(changeTempo(sound, speed), [
    ['apad', { whole_len: samples }],
    ['atrim', { end_sample: samples }],
    ['asetpts', { expr: 'round(N/SR/TB)' }],
  ])
}
