import type { Element } from '../../../worker/contract/options/elements/elements.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { inputFile, pipe, pipeAll, streamOf, type Stream } from '../../graph/filter-graph.ts'
import { workedRate, sampleCount } from '../../sound/dsp/pcm.ts'
import { inStereo, standardSound } from '../../sound/standard-sound.ts'
import {
  elementSpan,
  lateWarning,
  sortOut,
  type FilmTime,
  type Judged,
  type OutputSpan,
} from './element-timing.ts'
import { fadeSound } from './fade-sound.ts'
import type { ElementMedia } from './open-element.ts'

/** The elements that can be heard. */
type SoundElement = Extract<Element, { type: 'audio' | 'video' }>

/** The sound of an element, and when it is heard. */
export type ElementSound = {
  readonly index: number
  readonly element: SoundElement
  readonly source: OpenSound
  readonly span: OutputSpan
}

type OpenSound = {
  readonly seconds: number
  /** From the beginning, or again and again. */
  open(isLooped: boolean): Stream<'audio'>
}

/** Finds the sounds of elements, with warnings for those that begin too late to be heard. */
export function elementSounds(
  elements: readonly Element[],
  media: readonly (ElementMedia | undefined)[],
  film: FilmTime,
): { placed: ElementSound[]; warnings: string[] } {
  return sortOut(
    elements.flatMap((element, index): Judged<ElementSound>[] => {
      if (element.type !== 'audio' && element.type !== 'video') return []
      const source = sourceOf(element, media[index])
      if (!source) return []
      const span = elementSpan(element, film)
      if (span) return [{ placed: { index, element, source, span: endOf(element, source, span) } }]
      // The step that shows a video warns about it.
      if (element.type === 'video') return []
      return [{ leftOut: lateWarning(index, element, film) }]
    }),
  )
}

/** A video laid on top is silent unless its sound is asked for. */
function sourceOf(element: SoundElement, media: ElementMedia | undefined): OpenSound | undefined {
  if (media?.facts.kind === 'sound') return ofSoundFile(media.path, media.facts)
  if (element.type === 'audio' || media?.facts.kind !== 'movie') return undefined
  const { volume, duck } = element.effects ?? {}
  return volume === undefined && !duck ? undefined : ofMovie(media.path, media.facts.media)
}

type Facts<Kind> = Extract<ElementMedia['facts'], { kind: Kind }>

function ofSoundFile(path: string, facts: Facts<'sound'>): OpenSound {
  const { seconds, channels, demuxer, streamIndex } = facts
  const open = (reading: readonly string[] = []): Stream<'audio'> => {
    const file = streamOf(inputFile(path, demuxer, reading), 'audio', streamIndex)
    // Ignores the times in the file: rounds of a loop join without a gap.
    const stream = pipeAll(file, [renumbered, ['aresample', { sample_rate: workedRate }]])
    return pipeAll(inStereo({ stream, channels }), [renumbered])
  }
  return {
    seconds,
    open(isLooped) {
      if (!isLooped) return open()
      if (seconds > keptSeconds) return open(['-stream_loop', '-1'])
      return pipeAll(open(), [['aloop', { loop: -1, size: sampleCount(keptSeconds) }], renumbered])
    },
  }
}

/** Restarting a file takes time, so short sounds are kept in memory and repeated. */
const keptSeconds = 10

/** Keeps the sound in time with its picture, even when it is repeated: gaps in it become silence. */
function ofMovie(path: string, { format, audio, video }: Facts<'movie'>['media']) {
  if (!audio) return undefined
  return {
    seconds: video.endSeconds,
    open(isLooped: boolean) {
      const file = inputFile(path, demuxers[format], isLooped ? ['-stream_loop', '-1'] : [])
      const { channels } = audio
      return standardSound({ stream: streamOf(file, 'audio', audio.index), channels })
    },
  }
}

const renumbered = ['asetpts', { expr: 'round(N/SR/TB)' }] as const

function endOf({ loop }: SoundElement, { seconds }: OpenSound, span: OutputSpan): OutputSpan {
  return loop ? span : { ...span, end: Math.min(span.end, span.start + seconds) }
}

/** The sound from its start to its end, with its volume and its fades. */
export function openElementSound({ element, source, span }: ElementSound): Stream<'audio'> {
  const { volume = 1, fadeIn, fadeOut } = element.effects ?? {}
  const seconds = span.end - span.start
  const whole = source.open(element.loop === true && source.seconds < seconds)
  const samples = Math.max(1, sampleCount(seconds))
  const faded = fadeSound(pipe(whole, 'atrim', { end_sample: samples }), {
    seconds,
    fadeIn,
    fadeOut,
  })
  const isSame = volume === 1
  return pipeAll(faded, [
    ...(isSame ? [] : ([['volume', { volume, precision: 'float' }]] as const)),
    renumbered,
  ])
}
