import { connect, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { clippingCeilingDb, loudnessCeilingDb } from '../../sound/level/limit-peaks.ts'
import { sampleCount } from '../../sound/dsp/pcm.ts'
import { openSound } from '../../sound/prepared-sound.ts'
import { fitSound, type SoundStream } from '../../sound/standard-sound.ts'
import { elementSounds, openElementSound, type ElementSound } from '../elements/element-sound.ts'
import { renderStep, type RenderState } from '../render-state.ts'

/** Mixes the sounds of elements into that of the video, which keeps its level and length. */
export const mixAudio = renderStep({
  name: 'mix-audio',
  reads: ['elements'],
  readsOfElements: ['audio', 'video'],
  apply(state, { elements = [] }) {
    const { durationSeconds, elementMedia, ducked } = state
    const { placed, warnings: late } = elementSounds(elements, elementMedia, state)
    const said = [...late, ...(ducked?.warnings ?? [])]
    if (placed.length + said.length === 0) return state
    const warnings = [...state.warnings, ...said]
    if (placed.length === 0) return { ...state, warnings }
    const base = fitSound(heard(state), sampleCount(durationSeconds))
    const inputs = [base, ...placed.map((sound) => inTime(sound, ducked?.files.get(sound.index)))]
    const [audio] = connect('amix', inputs, ['audio'], {
      inputs: inputs.length,
      // The video decides the length, and no sound is turned down for another.
      duration: 'first',
      normalize: 0,
    })
    return {
      ...state,
      audio,
      warnings,
      ceilingDb: Math.min(state.ceilingDb ?? 0, ceilingFor(placed)),
    }
  },
})

/** Changed or joined sound is stereo; the sound of a single file has its own channels. */
export function heard(state: RenderState<never>): SoundStream | undefined {
  const { audio, sound, clips, isReplaced } = state
  if (!audio) return undefined
  const isStandard = isReplaced || (sound !== undefined && !sound.isUnchanged) || clips.length > 1
  const channels = isStandard ? 2 : (clips[0]?.facts.audio?.channels ?? 2)
  return { stream: audio, channels }
}

/** Music under speech exceeds the peak limit only now and then; sounds that are raised reach it all the time. */
function ceilingFor(sounds: readonly ElementSound[]): number {
  const volumes = sounds.map(({ element }) => element.effects?.volume ?? 1)
  const isUnder = volumes.reduce((sum, volume) => sum + volume, 0) <= 0.5
  return isUnder ? clippingCeilingDb : loudnessCeilingDb
}

/** Silence until its start, then the sound: the original, or the rewritten one that is lowered under speech. */
function inTime(sound: ElementSound, duckedFile: string | undefined): Stream<'audio'> {
  const stream =
    duckedFile === undefined ? openElementSound(sound) : openSound({ path: duckedFile })
  return pipeAll(stream, [['adelay', { delays: `${sampleCount(sound.span.start)}S`, all: 1 }]])
}
