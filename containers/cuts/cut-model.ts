import type { ToldStreams } from '../ffmpeg/probe/probe-sections.ts'
import type { PictureForm } from '../timeline/blend-joints.ts'
import type { Joint } from '../timeline/joints.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'
import type { JoinedPackets } from './bits/packet-units.ts'
import type { AvcParameterSets } from './h264/avc-parameter-sets.ts'
import type { OpenEntry } from './h264/avc-entries.ts'

/** Codecs whose packets can be copied beside encoded ones. */
export type CutCodec = 'h264' | 'hevc' | 'vp9'

/**
 * How one file, or several that are joined, are cut without encoding: which packets are copied, and which pictures are encoded
 * at the seams.
 */
export type Cutting = {
  readonly source: CutSource
  readonly parts: readonly KeptPart[]
  /** In the order of the result. */
  readonly pieces: readonly Piece[]
  /** The same pieces, grouped by what is encoded in one go. */
  readonly groups: readonly SeamGroup[]
  /** The packets that are decoded for each seam. */
  readonly windows: readonly DecodingWindow[]
  /** How the pictures of transitions are made; undefined without transitions. */
  readonly form: PictureForm | undefined
  /** How the seams are encoded: options of ffmpeg. */
  readonly coding: readonly string[]
  /** 1 for packets of the source at which players of the result may begin. */
  readonly keys: Uint8Array
  /** When the last picture of the result ends. */
  readonly endSeconds: number
}

export type CutSource = JoinedPackets & {
  /** Taken from the first file; every fact used here is the same in all files. */
  readonly facts: MediaFacts
  readonly codec: CutCodec
  readonly shown: ShownOrder
  /** Ticks in a second of the result. */
  readonly timescale: number
  readonly model: FilmDescription
  /** Its parameter sets, if slices of H.264 can be written for them. */
  readonly parameterSets: AvcParameterSets | undefined
}

/** The pictures of a file that are shown, in the order in which they are shown. */
export type ShownOrder = {
  /** The packet of each picture: its index in decoding order. */
  readonly packets: Uint32Array
  /** The place of each packet in `packets`; -1 if it is not shown. */
  readonly places: Int32Array
}

/** The kept part between two cuts, or a transition between two such parts: the pictures at the places `from` up to but not including `to`. */
export type KeptPart = {
  readonly from: number
  readonly to: number
  /** What is subtracted from the times of the source. */
  readonly earlierSeconds: number
  /** When the part begins and ends in the result. */
  readonly startSeconds: number
  readonly endSeconds: number
  /**
   * Whether its first picture is shown from the start of the part on, whatever its own time: it was already on screen when the
   * cut ended, or nothing comes before it.
   */
  readonly isHeld: boolean
  /** Present if it is a transition: its pictures are counted from 0, and are not places in the source. */
  readonly made?: TransitionPictures
}

/** The pictures of a transition, each made of two. */
export type TransitionPictures = {
  readonly joint: Joint
  /** The pictures at each of its steps, in the part that ends and in the one that begins: places, in order. */
  readonly before: readonly number[]
  readonly behind: readonly number[]
  readonly stepSeconds: number
}

/** The description of a film: its `moov`, and the content of the `stsd` box in it. */
export type FilmDescription = { readonly movie: Buffer; readonly description: Description }

/** The content of an `stsd` box with one entry: how the packets of a track are coded. */
export type Description = Buffer

/** Packets that are copied, `from` up to but not including `to` in decoding order. */
export type Run = {
  readonly kind: 'run'
  readonly part: number
  readonly from: number
  readonly to: number
  readonly entry: 'closed' | OpenEntry
  /** The pictures that they show. Packets of other pictures are left out: those shown before the first one. */
  readonly places: Places
  /** How many of the encoded pictures before it are stored in the places of such leading pictures. */
  readonly leading: number
}

/** Pictures that are encoded. */
export type Seam = { readonly kind: 'seam'; readonly part: number; readonly places: Places }

/** Indices in display order, `from` up to but not including `to`. Those of a transition are counted from 0. */
export type Places = { readonly from: number; readonly to: number }

export type Piece = Run | Seam

/** Seams without copied pictures between them, which are encoded in one go, and the run that follows. */
export type SeamGroup = { readonly seams: readonly Seam[]; readonly run: Run | undefined }

/** The packets that have to be decoded for some pictures: `from` up to but not including `to` in decoding order. */
export type DecodingWindow = {
  readonly from: number
  readonly to: number
  readonly places: Places
  /** The pictures needed before its first packet, if that opens a group. */
  readonly entry: OpenEntry | undefined
}

/** The finished file, and what was measured of it. */
export type CutResult = {
  readonly name: string
  readonly facts: MediaFacts
  readonly told?: ToldStreams | undefined
}
