import { pipe } from '../../graph/filter-graph.ts'
import { loudnessCeilingDb } from '../../sound/level/limit-peaks.ts'
import { fitSound } from '../../sound/standard-sound.ts'
import { fadeSound } from '../elements/fade-sound.ts'
import { renderStep, type RenderState } from '../render-state.ts'
import { sampleCount } from '../../sound/dsp/pcm.ts'
import { heard } from './mix-audio.ts'

/** How loud the film's own sound is from its start to its end, before sounds of elements are mixed in. */
export const filmSound = renderStep({
  name: 'film-sound',
  reads: ['audio'],
  readsOfInputs: ['volume'],
  apply(state, { audio: { volume = 1, mute = false, fadeIn, fadeOut } = {} }) {
    if (mute) return { ...state, audio: undefined }
    const ceilingDb = ceilingOf(state, volume)
    if (volume === 1 && !fadeIn && !fadeOut) return { ...state, ceilingDb }
    const sound = heard(state)
    if (!sound) return { ...state, warnings: [...state.warnings, 'audio: the video has no sound.'] }
    const { durationSeconds } = state
    const whole = fitSound(sound, sampleCount(durationSeconds))
    const level = volume === 1 ? whole : pipe(whole, 'volume', { volume, precision: 'float' })
    return {
      ...state,
      audio: fadeSound(level, { seconds: durationSeconds, fadeIn, fadeOut }),
      ceilingDb,
    }
  },
})

/** A sound that is made louder, as a clip or as the film, may reach above full scale. */
function ceilingOf(
  { clips, ceilingDb }: Pick<RenderState<'volume'>, 'clips' | 'ceilingDb'>,
  volume: number,
): number | undefined {
  const isLouder = volume > 1 || clips.some(({ asked }) => (asked.volume ?? 1) > 1)
  return isLouder ? Math.min(ceilingDb ?? 0, loudnessCeilingDb) : ceilingDb
}
