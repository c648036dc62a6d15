import { clippingCeilingDb, limitPeaks } from '../../sound/level/limit-peaks.ts'
import { hasDownmix } from '../../sound/standard-sound.ts'
import { renderStep, type RenderState } from '../render-state.ts'

/** The last step that changes the sound. */
export const limitSound = renderStep({
  name: 'limit-sound',
  reads: [],
  apply(state) {
    const { audio, ceilingDb = isSummed(state) ? clippingCeilingDb : undefined } = state
    if (!audio || ceilingDb === undefined) return state
    return { ...state, audio: limitPeaks(audio, ceilingDb) }
  },
})

/** Whether more than two channels were mixed into two: every change of a sound does that, and so does joining it to others. */
function isSummed({ clips, audio, isReplaced }: RenderState<never>): boolean {
  return !isReplaced && audio !== clips[0]?.audio && hasDownmix(clips)
}
