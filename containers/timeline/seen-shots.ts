import type { AskedScene } from '../../worker/contract/options/picture/reframe.ts'

export type SeenPeople = {
  readonly shots: readonly SeenShot[]
  /** What is to be shown in place of what was found, in the time of the clip. */
  readonly asked: readonly AskedScene[]
  /** The size of the picture that was looked at. */
  readonly picture: { readonly width: number; readonly height: number }
  /** When the clip begins on the timeline. */
  readonly beginSeconds: number
}

/** Who is seen in a clip, shot by shot, in the time of its pictures. */
export type SeenShot = {
  readonly startSeconds: number
  readonly endSeconds: number
  /** The moments at which it was looked at. */
  readonly looks: readonly number[]
  /** Each of them is one face, or one person whose face is not seen. */
  readonly people: readonly SeenPerson[]
}

export type SeenPerson = readonly SeenPlace[]

/** Sides are shares of the picture, after it was turned and cropped. */
export type SeenPlace = {
  readonly seconds: number
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}
