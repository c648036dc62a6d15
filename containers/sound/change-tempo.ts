import { pipeAll, type Stream } from '../graph/filter-graph.ts'
import { sampleCount, workedRate } from './dsp/pcm.ts'

const slowestTempo = 0.5

/**
 * Keeps the pitch, and puts a sound within about 10 ms of its picture. `atempo` works in windows of 1024 samples at half the
 * rate: they are then half as long. It is no slower than half the speed, and two of them would blur where a sound begins by 25 ms;
 * `rubberband` is even there, where its smooth windows bend no pitch.
 */
export function changeTempo(sound: Stream<'audio'>, tempo: number): Stream<'audio'> {
  return tempo < slowestTempo ? slowed(sound, tempo) : inTempo(sound, tempo)
}

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
