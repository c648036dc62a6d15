import { fpsOf, rateOf } from '../../timeline/frame-rate.ts'
import { steadied } from '../elements/without-gaps.ts'
import { renderStep } from '../render-state.ts'

/** Sets the rate before anything is drawn, so that moving elements move at the new rate. */
export const setRate = renderStep({
  name: 'set-rate',
  reads: ['fps'],
  apply(state, { fps }) {
    if (fps === undefined) return state
    const frameRate = rateOf(fps)
    const isSame = state.hasConstantRate && fpsOf(frameRate) === fpsOf(state.frameRate)
    return isSame ? state : steadied({ ...state, frameRate })
  },
})
