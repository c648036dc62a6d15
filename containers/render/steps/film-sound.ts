import { pipe } from '../../graph/filter-graph.ts'
import { loudnessCeilingDb } from '../../sound/level/limit-peaks.ts'
import { fitSound } from '../../sound/standard-sound.ts'
import { fadeSound } from '../elements/fade-sound.ts'
import { renderStep } from '../render-state.ts'
import { heard, samplesIn } from './mix-audio.ts'

/** How loud the film's own sound is from its start to its end, before sounds of elements are mixed in. */
export const filmSound = renderStep({
  name: 'film-sound',
  reads: ['audio'],
  apply(state, { audio: { volume = 1, mute = false, fadeIn, fadeOut } = {} }) {
    if (mute) return { ...state, audio: undefined }
    if (volume === 1 && !fadeIn && !fadeOut) return state
    const sound = heard(state)
    if (!sound) return { ...state, warnings: [...state.warnings, 'audio: the video has no sound.'] }
    const { durationSeconds, ceilingDb } = state
    const whole = fitSound(sound, samplesIn(durationSeconds))
    const level = volume === 1 ? whole : pipe(whole, 'volume', { volume, precision: 'float' })
    return {
      ...state,
      audio: fadeSound(level, { seconds: durationSeconds, fadeIn, fadeOut }),
      ceilingDb: volume > 1 ? Math.min(ceilingDb ?? 0, loudnessCeilingDb) : ceilingDb,
    }
  },
})
