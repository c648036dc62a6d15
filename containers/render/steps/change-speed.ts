import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { sampleRate } from '../../sound/dsp/pcm.ts'
import { fitSound } from '../../sound/standard-sound.ts'
import { finishedTime } from '../../timeline/timeline.ts'
import { rateText } from '../../timeline/frame-rate.ts'
import { steadied } from '../elements/without-gaps.ts'
import { renderStep } from '../render-state.ts'
import { heard, samplesIn } from './mix-audio.ts'

/**
 * Plays what the cuts leave faster or slower, at the same pictures a second: some are left out or repeated, evenly.
 * Whatever comes after it counts in the finished time.
 */
export const changeSpeed = renderStep({
  name: 'change-speed',
  reads: ['speed'],
  apply(state, { speed = 1 }) {
    if (speed === 1) return state
    const durationSeconds = finishedTime(state.durationSeconds, { speed })
    const { isReplaced, audio } = state
    const sound = isReplaced ? undefined : heard(state)
    return steadied({
      ...state,
      durationSeconds,
      video: pipeAll(state.video, [
        ['settb', { expr: '1/1000000' }],
        // A little early, so that a picture takes the same place of the steady rate however its time was computed.
        ['setpts', { expr: `round(PTS/${speed}-0.0001/TB)` }],
        // At each place, the picture that stands at its moment.
        ['fps', { fps: rateText(state.frameRate), round: 'up', start_time: 0 }],
      ]),
      audio: sound
        ? stretched(fitSound(sound, samplesIn(state.durationSeconds)), speed, durationSeconds)
        : audio,
    })
  },
})

/** A single filter is no slower than this. */
const slowest = 0.5

/**
 * Keeps the pitch. The filter works in windows of 1024 samples at half the rate: they are then half as long, and a word is
 * within 10 ms of its picture (25 ms below half the speed). The pitch is off by less than a cent; `rubberband` was off by up to 18.
 */
function stretched(sound: Stream<'audio'>, speed: number, seconds: number): Stream<'audio'> {
  const tempos = speed < slowest ? [slowest, speed / slowest] : [speed]
  const samples = samplesIn(seconds)
  return pipeAll(sound, [
    ['asetrate', { sample_rate: sampleRate / 2 }],
    ...tempos.flatMap((tempo) => atTempo(tempo)),
    ['asetrate', { sample_rate: sampleRate }],
    ['apad', { whole_len: samples }],
    ['atrim', { end_sample: samples }],
    ['asetpts', { expr: 'round(N/SR/TB)' }],
  ])
}

/** A slower sound begins early by about two thirds of a window, as measured at tones and clicks. */
const earlySamples = 672

function atTempo(tempo: number) {
  const slowed = ['atempo', { tempo }] as const
  const late = ['adelay', { delays: `${earlySamples}S`, all: 1 }] as const
  return tempo < 1 ? [slowed, late] : [slowed]
}
