import type { FragmentedFile, Fragment } from './read-fragments.ts'
import type { Rung } from './ladder.ts'

/** The unit that a player requests: one fragment of a film, or several of a sound. */
type StreamSegment = {
  readonly offset: number
  readonly bytes: number
  readonly seconds: number
}

/** A file of a stream with its segments. */
type Rendition = {
  /** Its name beside the playlists. */
  readonly file: string
  readonly headBytes: number
  readonly codec: string
  readonly segments: readonly StreamSegment[]
}

/** The films of a stream have one segment for each fragment. */
export function filmRendition(file: string, film: FragmentedFile): Rendition {
  if (film.fragments.some(({ isEntry }) => !isEntry)) {
    throw new Error(`A segment of ${file} does not begin with its only key picture`)
  }
  return { file, ...film, segments: film.fragments }
}

/** Groups fragments of sound so that each segment begins as near as possible to one of the pictures. */
export function soundRendition(
  file: string,
  { fragments, headBytes, codec }: FragmentedFile,
  pictures: readonly StreamSegment[],
): Rendition {
  const begins = startsOf(pictures)
  const segments: StreamSegment[] = []
  let place = 0
  let open: StreamSegment | undefined
  for (const [i, at] of startsOf(fragments).entries()) {
    const one = fragments[i]
    if (!one) continue
    const next = begins[place + 1] ?? Infinity
    if (open && at + one.seconds / 2 >= next) {
      segments.push(open)
      open = undefined
      place += 1
    }
    open = open ? joined(open, one) : one
  }
  return { file, headBytes, codec, segments: open ? [...segments, open] : segments }
}

function joined(open: StreamSegment, { bytes, seconds }: StreamSegment): StreamSegment {
  return { offset: open.offset, bytes: open.bytes + bytes, seconds: open.seconds + seconds }
}

function startsOf(segments: readonly StreamSegment[]): number[] {
  let end = 0
  return segments.map(({ seconds }) => (end += seconds) - seconds)
}

/** The playlist of one film, or of the sound. */
export function mediaPlaylist({ file, headBytes, segments }: Rendition): string {
  return playlist(targetOf(segments), [
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${file}",BYTERANGE="${headBytes}@0"`,
    ...segments.flatMap((segment) => entry(file, segment)),
  ])
}

/** Only the key picture of each segment, for a preview beside the bar of a player and for moving through it quickly. */
export function keysPlaylist(
  { file, headBytes }: Rendition,
  fragments: readonly Fragment[],
): string {
  return playlist(targetOf(fragments), [
    '#EXT-X-I-FRAMES-ONLY',
    `#EXT-X-MAP:URI="${file}",BYTERANGE="${headBytes}@0"`,
    ...keysOf(fragments).flatMap((key) => entry(file, key)),
  ])
}

function keysOf(fragments: readonly Fragment[]): StreamSegment[] {
  return fragments.map(({ offset, firstBytes, seconds }) => ({
    ...{ offset, bytes: firstBytes, seconds },
  }))
}

/** Captions take few bytes, so they are a single segment. */
export function captionsPlaylist(file: string, seconds: number): string {
  return playlist(Math.max(1, Math.ceil(seconds)), [`#EXTINF:${inSeconds(seconds)},`, file])
}

function playlist(target: number, lines: readonly string[]): string {
  return [
    ...['#EXTM3U', '#EXT-X-VERSION:7', `#EXT-X-TARGETDURATION:${target}`],
    ...['#EXT-X-MEDIA-SEQUENCE:0', '#EXT-X-PLAYLIST-TYPE:VOD', ...lines, '#EXT-X-ENDLIST', ''],
  ].join('\n')
}

/** RFC 8216, 4.3.3.1: no segment, rounded to the nearest second, is longer. */
function targetOf(segments: readonly StreamSegment[]): number {
  return segments.reduce((most, { seconds }) => Math.max(most, Math.round(seconds)), 1)
}

function entry(file: string, { offset, bytes, seconds }: StreamSegment): string[] {
  return [`#EXTINF:${inSeconds(seconds)},`, `#EXT-X-BYTERANGE:${bytes}@${offset}`, file]
}

function inSeconds(seconds: number): string {
  return seconds.toFixed(6)
}

export type StreamedFilm = {
  readonly rung: Rung
  readonly rendition: Rendition
  readonly list: string
}

export type StreamedCaptions = {
  readonly list: string
  /** The tag of RFC 5646, such as `en`; undefined if the language is not known. */
  readonly language: string | undefined
  readonly name: string
}

export type HlsStream = {
  /** From the largest to the smallest. */
  readonly films: readonly StreamedFilm[]
  readonly sound:
    | { readonly rendition: Rendition; readonly list: string; readonly channels: number }
    | undefined
  readonly captions: readonly StreamedCaptions[]
  /** The key pictures of one of the films. */
  readonly keys: {
    readonly film: StreamedFilm
    readonly list: string
    readonly fragments: readonly Fragment[]
  }
  readonly fps: number
}

/** Players begin with the first size of the list, before they know how fast their network is. */
const firstName = 720

/** The playlist that players read first: the sizes, and the rates that they need. */
export function masterPlaylist(stream: HlsStream): string {
  const { films, sound, captions, keys } = stream
  const first = films.find(({ rung }) => rung.name <= firstName) ?? films.at(-1)
  const ordered = first ? [first, ...films.filter((film) => film !== first)] : films
  return [
    ...['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS'],
    ...(sound
      ? [
          `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="${sound.channels}",URI="${sound.list}"`,
        ]
      : []),
    ...captions.map(captionsLine),
    ...ordered.flatMap((film) => [variantLine(film, stream), film.list]),
    keysLine(keys),
    '',
  ].join('\n')
}

/** The playlist that players read first, with the name of a file of chapters beside it (Apple: providing chapters in HLS). */
export function withChapters(master: string, file: string): string {
  const line = `#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="${file}"`
  return master.replace('#EXT-X-INDEPENDENT-SEGMENTS', (head) => `${head}\n${line}`)
}

export function hlsChapters(
  chapters: readonly { readonly start: number; readonly end: number; readonly title: string }[],
  language: string,
): string {
  const list = chapters.map(({ start, end, title }, i) => ({
    chapter: i + 1,
    'start-time': start / 1_000,
    duration: (end - start) / 1_000,
    titles: [{ language, title }],
  }))
  return JSON.stringify(list)
}

function captionsLine({ language, name, list }: StreamedCaptions): string {
  const spoken = language === undefined ? '' : `,LANGUAGE="${language}"`
  return `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="${name}"${spoken},DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="${list}"`
}

function variantLine(
  { rung, rendition }: StreamedFilm,
  { sound, captions, fps }: HlsStream,
): string {
  const parts = [rendition, ...(sound ? [sound.rendition] : [])]
  const sum = (of: (segments: readonly StreamSegment[]) => number) =>
    Math.ceil(parts.reduce((bits, { segments }) => bits + of(segments), 0))
  return [
    `#EXT-X-STREAM-INF:BANDWIDTH=${sum(peakBits)}`,
    `AVERAGE-BANDWIDTH=${sum(averageBits)}`,
    `CODECS="${parts.map(({ codec }) => codec).join(',')}"`,
    `RESOLUTION=${rung.width}x${rung.height}`,
    `FRAME-RATE=${fps.toFixed(3)}`,
    'VIDEO-RANGE=SDR',
    ...(sound ? ['AUDIO="audio"'] : []),
    ...(captions.length > 0 ? ['SUBTITLES="captions"'] : []),
    'CLOSED-CAPTIONS=NONE',
  ].join(',')
}

function keysLine({ film: { rung, rendition }, list, fragments }: HlsStream['keys']): string {
  const keys = keysOf(fragments)
  return [
    `#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=${Math.ceil(peakBits(keys))}`,
    `AVERAGE-BANDWIDTH=${Math.ceil(averageBits(keys))}`,
    `CODECS="${rendition.codec}"`,
    `RESOLUTION=${rung.width}x${rung.height}`,
    'VIDEO-RANGE=SDR',
    `URI="${list}"`,
  ].join(',')
}

function averageBits(segments: readonly StreamSegment[]): number {
  const all = segments.reduce((sum, one) => joined(sum, one), { offset: 0, bytes: 0, seconds: 0 })
  return (all.bytes * 8) / Math.max(all.seconds, 0.001)
}

/** RFC 8216, 4.1: the highest rate of any run of neighbouring segments that lasts from half to one and a half target durations. */
function peakBits(segments: readonly StreamSegment[]): number {
  const target = targetOf(segments)
  let most = 0
  for (let from = 0; from < segments.length; from++) {
    let [bytes, seconds] = [0, 0]
    for (const segment of segments.slice(from, from + longestRun)) {
      bytes += segment.bytes
      seconds += segment.seconds
      if (seconds > target * 1.5) break
      if (seconds >= target * 0.5) most = Math.max(most, (bytes * 8) / seconds)
    }
  }
  // The whole film may be shorter than that.
  return Math.max(most, averageBits(segments))
}

/** All segments but the last one are about as long as the target, so that no more of them are counted together. */
const longestRun = 4
