import { pipe } from '../../graph/filter-graph.ts'
import { loudnessAsked, usualLoudness } from '../../../worker/contract/options/sound/loudness.ts'
import { ceilingBelow } from '../../sound/level/limit-peaks.ts'
import { renderStep } from '../render-state.ts'

/**
 * Applies the gain. Noise was removed when the sound was prepared, so that the measurement fits what is heard. Peaks
 * are limited at the very end, after everything that can raise them.
 */
export const cleanAudio = renderStep({
  name: 'clean-audio',
  reads: ['removeNoise', 'normalizeAudio'],
  apply(state, { removeNoise, normalizeAudio }) {
    if (!removeNoise && !normalizeAudio) return state
    const { audio, sound } = state
    if (!sound || !audio) {
      const asked = Object.entries({ removeNoise, normalizeAudio }).filter(([, isAsked]) => isAsked)
      const deaf = asked.map(([name]) => `${name}: the video has no sound.`)
      return { ...state, warnings: [...state.warnings, ...deaf] }
    }
    if (sound.gainDb === undefined) return state
    const { peak } = loudnessAsked(normalizeAudio) ?? usualLoudness
    const raised = pipe(audio, 'volume', { volume: `${sound.gainDb.toFixed(2)}dB` })
    return { ...state, audio: raised, ceilingDb: ceilingBelow(peak) }
  },
})
