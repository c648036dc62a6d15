import { connect, pipe, type Stream } from '../graph/filter-graph.ts'
import { sampleRate } from '../sound/pcm.ts'
import type { Easing, Fade, Fades } from './fade.ts'

/** Lets a sound at 48 kHz appear and go, exact to the sample. */
export function fadeSound(
  sound: Stream<'audio'>,
  { seconds, fadeIn, fadeOut }: Fades,
): Stream<'audio'> {
  const risen = fadeIn ? fade(sound, 'in', { easing: fadeIn.easing, ...from(0, fadeIn) }) : sound
  if (!fadeOut) return risen
  const start = Math.round(seconds * sampleRate) - lengthOf(fadeOut)
  // A fade longer than its sound has begun before it: the filter goes by time, so time starts later.
  const late = Math.max(0, -start)
  const shifted = pipe(risen, 'asetpts', { expr: `(N+${late})/SR/TB` })
  return fade(shifted, 'out', { easing: fadeOut.easing, ...from(start + late, fadeOut) })
}

type Span = { readonly start: number; readonly samples: number }
type Run = Span & { readonly easing: Easing | undefined }

function from(start: number, timed: Fade): Span {
  return { start, samples: lengthOf(timed) }
}

/** Longer than every video: numbers beyond that would not fit the filter. */
const maxSeconds = 1e9

function lengthOf({ duration }: Fade): number {
  return Math.max(1, Math.round(Math.min(duration, maxSeconds) * sampleRate))
}

/** Of what `afade` knows, over the share that is heard: x, x² and 1 − (1 − x)². */
type Curve = 'tri' | 'qua' | 'ipar'

/** A fade out runs the curve on what is left, so that easing in and out change places. */
const curves: Record<Exclude<Easing, 'ease-in-out'>, { in: Curve; out: Curve }> = {
  linear: { in: 'tri', out: 'tri' },
  'ease-in': { in: 'qua', out: 'ipar' },
  'ease-out': { in: 'ipar', out: 'qua' },
}

function fade(sound: Stream<'audio'>, type: 'in' | 'out', run: Run): Stream<'audio'> {
  const { easing = 'linear' } = run
  if (easing !== 'ease-in-out') return afade(sound, type, curves[easing][type], run)
  return fadeInHalves(sound, type, run)
}

/** Ease-in-out is half of the sound that eases in during the first half, and half that eases out in the second. */
function fadeInHalves(sound: Stream<'audio'>, type: 'in' | 'out', run: Span): Stream<'audio'> {
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
  { start, samples }: Span,
): Stream<'audio'> {
  return pipe(sound, 'afade', { type, curve, start_sample: start, nb_samples: samples })
}
