import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { streamOf, writtenFile } from '../../graph/filter-graph.ts'
import type { OutputTrack } from '../../graph/output-track.ts'

/** Captions for a track of the result. */
export type CaptionFile = {
  /** In WebVTT. */
  readonly text: string
  /** ISO 639-2, as the containers want it. */
  readonly language: string
  /** The language tag of the web, such as `en`; undefined if the language is not known. */
  readonly tag: string | undefined
}

type Format = ProcessingOptions['outputFormat']

const codecs: Record<Format, string | undefined> = {
  mp4: 'mov_text',
  mov: 'mov_text',
  webm: 'webvtt',
  avi: undefined,
}

export function holdsCaptions(format: Format): boolean {
  return codecs[format] !== undefined
}

/** QuickTime's own language codes; languages that are not listed have none, or have the same letters. */
const quickTimeNames: Readonly<Record<string, string>> = {
  ...{ cym: 'wel', deu: 'ger', ell: 'gre', eus: 'baq', fas: 'per', hye: 'arm', isl: 'ice' },
  ...{ kat: 'geo', mkd: 'mac', msa: 'may', mya: 'bur', nld: 'dut', sqi: 'alb', swe: 'sve' },
  zho: 'chi',
}

function languageIn(format: Format, language: string): string {
  return format === 'mov' ? (quickTimeNames[language] ?? language) : language
}

/** The tracks of captions that players can show; none if the container has no such tracks. */
export function captionTracks(captions: readonly CaptionFile[], format: Format): OutputTrack[] {
  const codec = codecs[format]
  if (codec === undefined) return []
  return captions.map(({ text, language }, i) => {
    const stream = streamOf(writtenFile(captionName(i), 'webvtt', text), 'subtitle', 0)
    const coding = ['-c:s', codec, `-metadata:s:s:${i}`, `language=${languageIn(format, language)}`]
    return { stream, coding }
  })
}

/** The captions of the spoken language come first, then the translations. */
export function captionName(place: number): string {
  return `captions${place === 0 ? '' : place}.vtt`
}
