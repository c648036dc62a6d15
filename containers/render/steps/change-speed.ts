import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { workedRate, sampleCount } from '../../sound/dsp/pcm.ts'
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

/**
 * Keeps the pitch, and puts a sound within about 10 ms of its picture. `atempo` works in windows of 1024 samples at half the
 * rate: they are then half as long. It is no slower than half the speed, and two of them would blur where a sound begins by 25 ms;
 * `rubberband` is even there, where its smooth windows bend no pitch.
 */
function stretched(sound: Stream<'audio'>, speed: number, seconds: number): Stream<'audio'> {
  const fitted = speed < slowestTempo ? slowed(sound, speed) : inTempo(sound, speed)
  const samples = sampleCount(seconds)
  return pipeAll(fitted, [
    ['apad', { whole_len: samples }],
    ['atrim', { end_sample: samples }],
    ['asetpts', { expr: 'round(N/SR/TB)' }],
  ])
}

const slowestTempo = 0.5

/** Sounds begin early or late by an amount that was measured with tones and clicks; the delay is the middle of it. */
function inTempo(sound: Stream<'audio'>, tempo: number): Stream<'audio'> {
  return pipeAll(sound, [
    ['asetrate', { sample_rate: workedRate / 2 }],
    ['atempo', { tempo }],
    late(tempo < 1 ? 0.008 / tempo : 0.002),
    ['asetrate', { sample_rate: workedRate }],
  ])
}

/** Its windows overlap out of phase: speech, music and rain came out 2 to 4 dB quieter, and with lower peaks. */
const lostInSlowness = 2

function slowed(sound: Stream<'audio'>, tempo: number): Stream<'audio'> {
  return pipeAll(sound, [
    ['rubberband', { tempo, window: 'short', transients: 'smooth' }],
    ['volume', { volume: `${lostInSlowness}dB` }],
    late(0.01185 / tempo - 0.0163),
  ])
}

function late(seconds: number) {
  return ['adelay', { delays: `${sampleCount(seconds)}S`, all: 1 }] as const
}
