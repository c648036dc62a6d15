import { z } from 'zod'
import type { AskedScene } from '../../worker/contract/options/picture/reframe.ts'
import type { Box } from '../numbers/picture-box.ts'

export type SeenPeople = {
  readonly shots: readonly SeenShot[]
  /** The scenes that the request asks for in place of those found, in the time of the clip. */
  readonly asked: readonly AskedScene[]
  /** The size of the pictures that were examined. */
  readonly picture: { readonly width: number; readonly height: number }
  /** When the clip begins on the timeline. */
  readonly beginSeconds: number
  /** Undefined if the clip has no sound, or if who speaks does not matter or could not be told. */
  readonly voice?: HeardVoice | undefined
}

/** How loudly somebody speaks at each step of a clip: 0 if nobody does, 1 for the loud parts of this clip. */
export type HeardVoice = { readonly stepSeconds: number; readonly levels: Float32Array }

/** The people seen in a clip, shot by shot, in the time of its pictures. */
export type SeenShot = {
  readonly startSeconds: number
  readonly endSeconds: number
  /** The moments at which it was looked at. */
  readonly looks: readonly number[]
  /** Each of them is a face, or a person whose face is not seen. */
  readonly people: readonly SeenPerson[]
  /** Who of them speaks when, without gaps; empty or absent if that cannot be told. */
  readonly turns?: readonly SpeakingTurn[]
}

/** Without `who` if somebody speaks and it is uncertain who. */
export type SpeakingTurn = {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly who?: SeenPerson
}

export type SeenPerson = readonly SeenPlace[]

/** Sides are shares of the picture, after it was turned and cropped. */
export type SeenPlace = Box & {
  readonly seconds: number
  /** How the mouth moves until the next look, if it was watched. */
  readonly mouth?: MouthMoves | undefined
}

export type MouthMoves = {
  /** The first reading comes this long after the look, and each other one as long after the one before. */
  readonly everySeconds: number
  /** 0 if the mouth moves no more than the rest of the face; 1 if the picture changes there 2.7 times as much. */
  readonly moved: readonly number[]
}

const seenPlace: z.ZodType<SeenPlace> = z.object({
  ...{ seconds: z.number(), left: z.number(), top: z.number() },
  ...{ right: z.number(), bottom: z.number() },
  mouth: z.object({ everySeconds: z.number(), moved: z.array(z.number()) }).optional(),
})

/** Reads shots that were found and kept, without who speaks, which is told afterwards. */
export const seenShots: z.ZodType<readonly SeenShot[]> = z.array(
  z.object({
    ...{ startSeconds: z.number(), endSeconds: z.number() },
    ...{ looks: z.array(z.number()), people: z.array(z.array(seenPlace)) },
  }),
)
