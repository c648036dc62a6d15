import type { Element } from '../../../worker/contract/elements.ts'
import type { SoundFacts } from '../../ffmpeg/element-facts.ts'
import {
  connect,
  inputFile,
  pipe,
  pipeAll,
  streamOf,
  type Stream,
} from '../../graph/filter-graph.ts'
import { elementSpan, lateWarning, type TimeSpan } from '../element-timing.ts'
import { fadeSound } from '../fade-sound.ts'
import { sortOut, type Judged } from '../judge-elements.ts'
import type { ElementMedia } from '../open-element.ts'
import { clippingCeilingDb, loudnessCeilingDb } from '../../sound/limit-peaks.ts'
import { renderStep, type RenderState } from '../render-state.ts'
import { fitSound, inStereo, type Heard } from '../../sound/standard-sound.ts'
import { sampleRate } from '../../sound/pcm.ts'

type Sound = {
  readonly index: number
  readonly element: Extract<Element, { type: 'audio' }>
  readonly media: ElementMedia<SoundFacts>
}

type Placed = Sound & { readonly span: TimeSpan }

/** Mixes the sounds of elements into that of the video, which keeps its level and length. */
export const mixAudio = renderStep({
  name: 'mix-audio',
  reads: ['elements'],
  readsOfElements: ['audio'],
  apply(state, { elements = [] }) {
    const sounds = elements.flatMap((element, index): Sound[] => {
      const { path, facts } = state.elementMedia[index] ?? {}
      if (element.type !== 'audio' || !path || facts?.kind !== 'sound') return []
      return [{ index, element, media: { path, facts } }]
    })
    const judged = sortOut(sounds.map((sound) => place(sound, state.durationSeconds)))
    const { placed } = judged
    if (placed.length + judged.warnings.length === 0) return state
    const warnings = [...state.warnings, ...judged.warnings]
    if (placed.length === 0) return { ...state, warnings }
    const base = fitSound(heard(state), toSamples(state.durationSeconds))
    const inputs = [base, ...placed.map((sound) => openSound(sound))]
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

/** Prepared or joined sound is stereo; the sound of a single file has its own channels. */
function heard({ audio, sound, clips }: RenderState<never>): Heard | undefined {
  if (!audio) return undefined
  const isStandard = sound !== undefined || clips.length > 1
  const channels = isStandard ? 2 : (clips[0]?.facts.audio?.channels ?? 2)
  return { stream: audio, channels }
}

/** Music under speech exceeds the peak limit only now and then; sounds that are raised reach it all the time. */
function ceilingFor(sounds: readonly Placed[]): number {
  const volumes = sounds.map(({ element }) => element.effects?.volume ?? 1)
  const isUnder = volumes.reduce((sum, volume) => sum + volume, 0) <= 0.5
  return isUnder ? clippingCeilingDb : loudnessCeilingDb
}

/** When the sound is heard, or a warning why it is not. */
function place(sound: Sound, videoSeconds: number): Judged<Placed> {
  const { element, index, media } = sound
  const span = elementSpan(element.timing, videoSeconds)
  if (!span) return { leftOut: lateWarning(index, element.timing, videoSeconds) }
  if (element.loop) return { placed: { ...sound, span } }
  const end = Math.min(span.end, span.start + media.facts.seconds)
  return { placed: { ...sound, span: { start: span.start, end } } }
}

/** Silence until its start, then the sound with its fades, and nothing after its end. */
function openSound({ element, media, span }: Placed): Stream<'audio'> {
  const { volume = 1, fadeIn, fadeOut } = element.effects ?? {}
  const seconds = span.end - span.start
  const whole = element.loop && media.facts.seconds < seconds ? openLooped(media) : open(media)
  const cut = pipe(whole, 'atrim', { end_sample: Math.max(1, toSamples(seconds)) })
  const faded = fadeSound(cut, { seconds, fadeIn, fadeOut })
  return pipeAll(faded, [
    ...(volume === 1 ? [] : ([['volume', { volume, precision: 'float' }]] as const)),
    ['asetpts', { expr: 'N/SR/TB' }],
    ['adelay', { delays: `${toSamples(span.start)}S`, all: 1 }],
  ])
}

/** Restarting a file takes time, so short sounds are kept in memory and repeated. */
const keptSeconds = 10

function openLooped(media: ElementMedia<SoundFacts>): Stream<'audio'> {
  const { seconds } = media.facts
  if (seconds > keptSeconds) return open(media, ['-stream_loop', '-1'])
  return pipeAll(open(media), [
    ['aloop', { loop: -1, size: toSamples(keptSeconds) }],
    ['asetpts', { expr: 'N/SR/TB' }],
  ])
}

/** Ignores the times in the file: rounds of a loop join without a gap. */
function open(
  { path, facts }: ElementMedia<SoundFacts>,
  reading: readonly string[] = [],
): Stream<'audio'> {
  const stream = pipeAll(streamOf(inputFile(path, facts.demuxer, reading), 'audio', 0), [
    ['asetpts', { expr: 'N/SR/TB' }],
    ['aresample', { sample_rate: sampleRate }],
  ])
  return pipe(inStereo({ stream, channels: facts.channels }), 'asetpts', { expr: 'N/SR/TB' })
}

function toSamples(seconds: number): number {
  return Math.round(seconds * sampleRate)
}
