import { limitPeaks } from '../../sound/level/limit-peaks.ts'
import { renderStep } from '../render-state.ts'

/** The last step that changes the sound. */
export const limitSound = renderStep({
  name: 'limit-sound',
  reads: [],
  apply(state) {
    if (!state.audio || state.ceilingDb === undefined) return state
    return { ...state, audio: limitPeaks(state.audio, state.ceilingDb) }
  },
})
