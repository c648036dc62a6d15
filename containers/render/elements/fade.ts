import type { easings } from '../../../worker/contract/options/elements/element-fields.ts'

export type Easing = (typeof easings)[number]

/** The visible or audible share after the share `t`, 0 … 1, of a fade-in. */
export const easingCurves: Record<Easing, (t: number) => number> = {
  linear: (t) => t,
  'ease-in': (t) => t * t,
  'ease-out': (t) => 1 - (1 - t) * (1 - t),
  'ease-in-out': (t) => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t)),
}

export type Fade = { readonly duration: number; readonly easing?: Easing | undefined }

/** The fades of an element that lasts for `seconds`. */
export type Fades = {
  readonly seconds: number
  readonly fadeIn: Fade | undefined
  readonly fadeOut: Fade | undefined
}

/**
 * The strength of the element, 0 … 1, `at` seconds after its start. A fade-out runs the same curve from 1 to 0: after
 * half of an ease-in, three quarters are left. Overlapping fades multiply.
 */
export function fadeLevel({ seconds, fadeIn, fadeOut }: Fades, at: number): number {
  const appeared = fadeIn ? eased(fadeIn, at) : 1
  const gone = fadeOut ? eased(fadeOut, at - (seconds - fadeOut.duration)) : 0
  return appeared * (1 - gone)
}

function eased({ duration, easing = 'linear' }: Fade, elapsed: number): number {
  if (duration === 0) return elapsed < 0 ? 0 : 1
  return easingCurves[easing](Math.min(1, Math.max(0, elapsed / duration)))
}
