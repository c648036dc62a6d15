import type { Color } from '../../worker/contract/options/picture/contrast.ts'
import type { FontRun } from './split-by-font.ts'

/** A word as it is drawn; times are seconds of the finished video. */
type SetWord = {
  readonly runs: readonly FontRun[]
  readonly startTime: number
  readonly endTime: number
}

export type SetLine = {
  readonly words: readonly SetWord[]
  /** In pixels. */
  readonly width: number
}

export type SetCaption = {
  readonly startTime: number
  readonly endTime: number
  readonly lines: readonly SetLine[]
  readonly isRightToLeft: boolean
  readonly speaker?: string | undefined
  /** The word's own colour, in place of that of all captions. */
  readonly fill?: Color
  /** The top of the first line, in pixels of the frame, in place of where all captions stand. */
  readonly top?: number
}

/** How all captions of a video look; lengths in pixels of the frame. */
export type CaptionLook = {
  readonly fontSize: number
  readonly lineHeight: number
  readonly fill: Color
  /** The colour of the word being said; undefined if it looks like the others. */
  readonly highlight: Color | undefined
  readonly box: Color | undefined
  /** The top of a block of this many lines. */
  readonly topOf: (lines: number) => number
}

export type CaptionTrack = {
  readonly captions: readonly SetCaption[]
  readonly look: CaptionLook
  readonly families: readonly string[]
}
