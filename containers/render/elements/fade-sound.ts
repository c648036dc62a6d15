import { connect, pipe, type Stream } from '../../graph/filter-graph.ts'
import { sampleCount } from '../../sound/dsp/pcm.ts'
import type { Easing, Fade, Fades } from './fade.ts'

/** Fades a sound at 48 kHz in and out, exact to the sample. */
export function fadeSound(
  sound: Stream<'audio'>,
  { seconds, fadeIn, fadeOut }: Fades,
): Stream<'audio'> {
  const risen = fadeIn ? fade(sound, 'in', { easing: fadeIn.easing, ...from(0, fadeIn) }) : sound
  if (!fadeOut) return risen
  const start = sampleCount(seconds) - lengthOf(fadeOut)
  // A fade longer than its sound began before the sound: the filter goes by time, so the time is shifted meanwhile.
  const late = Math.max(0, -start)
  const shifted = pipe(risen, 'asetpts', { expr: `round((N+${late})/SR/TB)` })
  const fallen = fade(shifted, 'out', { easing: fadeOut.easing, ...from(start + late, fadeOut) })
  return late === 0 ? fallen : pipe(fallen, 'asetpts', { expr: 'round(N/SR/TB)' })
}

type FadeRun = { readonly start: number; readonly samples: number }
type FadeSpan = FadeRun & { readonly easing: Easing | undefined }

function from(start: number, timed: Fade): FadeRun {
  return { start, samples: lengthOf(timed) }
}

/** Longer than any video; the filter does not accept larger numbers. */
const maxSeconds = 1e9

function lengthOf({ duration }: Fade): number {
  return Math.max(1, sampleCount(Math.min(duration, maxSeconds)))
}

/** Curves of `afade`, over the audible share: x, x² and 1 − (1 − x)². */
type Curve = 'tri' | 'qua' | 'ipar'

/** A fade-out applies the curve to the share that is left, so easing in and out change places. */
const curves: Record<Exclude<Easing, 'ease-in-out'>, { in: Curve; out: Curve }> = {
  linear: { in: 'tri', out: 'tri' },
  'ease-in': { in: 'qua', out: 'ipar' },
  'ease-out': { in: 'ipar', out: 'qua' },
}

function fade(sound: Stream<'audio'>, type: 'in' | 'out', run: FadeSpan): Stream<'audio'> {
  const { easing = 'linear' } = run
  if (easing !== 'ease-in-out') return afade(sound, type, curves[easing][type], run)
  return fadeInHalves(sound, type, run)
}

/**
 * Ease-in-out mixes two halves of the sound: one eases in during the first half, the other eases out during the second.
 */
function fadeInHalves(sound: Stream<'audio'>, type: 'in' | 'out', run: FadeRun): Stream<'audio'> {
  const [one, other] = connect('asplit', [sound], ['audio', 'audio'])
  const half = Math.max(1, Math.round(run.samples / 2))
  const first = { start: run.start, samples: half }
  const second = { start: run.start + half, samples: half }
  const halves = [
    afade(one, type, 'qua', type === 'in' ? first : second),
    afade(other, type, 'ipar', type === 'in' ? second : first),
  ]
  const [whole] = connect('amix', halves, ['audio'], { normalize: 0, weights: '0.5 0.5' })
  return whole
}

function afade(
  sound: Stream<'audio'>,
  type: 'in' | 'out',
  curve: Curve,
  { start, samples }: FadeRun,
): Stream<'audio'> {
  return pipe(sound, 'afade', { type, curve, start_sample: start, nb_samples: samples })
}
