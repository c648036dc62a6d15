import type { Packing } from '../ffmpeg/measure-packing.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'
import type { AvcSets } from './h264/avc-sets.ts'
import type { Marking } from './h264/avc-slice.ts'
import type { KeptPart, Shown } from './plan/kept-pictures.ts'

/** Codecs whose packets can be copied beside encoded ones. */
export type CutCodec = 'h264' | 'hevc' | 'vp9'

/**
 * How one file, or several that are joined, are cut as they are stored: which packets are copied, and which pictures are
 * encoded at the seams.
 */
export type Cutting = {
  readonly source: CutSource
  readonly parts: readonly KeptPart[]
  /** In the order of the result. */
  readonly pieces: readonly Piece[]
  /** When the last picture of the result ends. */
  readonly endSeconds: number
}

/** The packets of several files in one track. */
export type Joined = {
  /** In the order of the timeline. */
  readonly files: readonly [CutFile, ...CutFile[]]
  /** The packets of all files, at their times on the joined timeline. */
  readonly packing: Packing
}

export type CutFile = {
  /** Name inside the job folder. */
  readonly path: string
  /** Its first packet among those of all files. */
  readonly from: number
  /** When it begins on the timeline. */
  readonly startSeconds: number
}

/** Which of the files a packet lies in. */
export function fileOf({ files }: Pick<Joined, 'files'>, packet: number): number {
  return files.findLastIndex(({ from }) => from <= packet)
}

export type CutSource = Joined & {
  /** Those of the first file; where they matter here, they are those of all. */
  readonly facts: MediaFacts
  readonly codec: CutCodec
  readonly shown: Shown
  /** Ticks in a second of the result. */
  readonly timescale: number
  readonly model: Model
  /** Its parameter sets, if slices of H.264 can be written for them. */
  readonly sets: AvcSets | undefined
}

/** What a film is described by: its `moov`, and the content of the `stsd` box in it. */
export type Model = { readonly movie: Buffer; readonly description: Description }

/** The content of an `stsd` box with one entry: how the packets of a track are coded. */
export type Description = Buffer

/**
 * How a decoder may begin with a packet: `closed` if all that follows needs nothing before it, `never` if it cannot begin
 * there.
 */
export type Entry = 'closed' | 'never' | OpenEntry

/** Pictures that are stored after the packet and shown before it may need what came before. */
export type OpenEntry = {
  /** How many encoded pictures have to come before it. */
  readonly before: number
  /** Those pictures, if encoded ones have to be stored in their places; others are left out. */
  readonly leads: readonly { readonly packet: number; readonly isNeeded: boolean }[]
  /** How encoded pictures have to be numbered; undefined if that does not matter. */
  readonly numbers: EntryNumbers | undefined
}

/** Packets that are copied, `from` up to but not including `to` in decoding order. */
export type Run = {
  readonly kind: 'run'
  readonly part: number
  readonly from: number
  readonly to: number
  readonly entry: Exclude<Entry, 'never'>
  /** The pictures that they show. Packets of other pictures are left out: those shown before the first one. */
  readonly places: Places
  /** How many of the encoded pictures before it are stored in the places of such packets. */
  readonly leads: number
}

/** Pictures that are encoded. */
export type Seam = { readonly kind: 'seam'; readonly part: number; readonly places: Places }

/** Places in the order of showing, `from` up to but not including `to`. */
export type Places = { readonly from: number; readonly to: number }

export type Piece = Run | Seam

export type SeamPiece = Extract<Piece, { kind: 'seam' }>

/**
 * What the pictures before an open group of H.264 have to be numbered like, and those that are stored after its first
 * one and shown before it, so that a decoder counts on without a gap.
 */
export type EntryNumbers = {
  /** How many references come before the group. */
  readonly count: number
  /** Which of them are still there when it begins: how many references before it, in ascending order. */
  readonly ages: readonly number[]
  /** When its first picture is shown, in the order of showing. */
  readonly poc: number
  /** The earliest place of those that are shown before it. */
  readonly earliest: number
  readonly leads: ReadonlyMap<number, LeadNumbers>
}

export type LeadNumbers = {
  readonly nalRefIdc: number
  readonly frameNum: number
  readonly poc: number
  readonly refPicMarking: Marking
}

/** A packet that was written for a window. */
export type Written = { readonly position: number; readonly sizeBytes: number }

/**
 * What makes a decoder begin with an open group of H.264 just as if it had decoded everything before: pictures that count
 * up to it, and others in the places of those that need what came before. All are copies of its first picture.
 */
export type LeadIn = {
  readonly before: readonly Written[]
  readonly instead: ReadonlyMap<number, Written>
}

/** The finished file, and what was measured of it. */
export type CutResult = { readonly name: string; readonly facts: MediaFacts }
