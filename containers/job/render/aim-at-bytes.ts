import { goodShare } from '../../render/output/byte-budget.ts'
import type { RenderTry, Course, MadeFilm } from './render-try.ts'
import type { Rendered } from './run-plan.ts'

const mostSharings = 3
/** x264 keeps to a given size within a few hundredths, except for a few seconds of noise, which are then encoded again. */
const aimedShare = goodShare.wanted
/** A result this far below its limit looks nearly as good, and is not encoded again. */
const sharedEnough = 0.85
/** If the result changes by less, it does not follow the size that it is given: it is already at the lowest quality. */
const sameShare = 0.02

/** The size to ask for so that about as much is written. */
export function aimedBytes(mayTake: number): number {
  return mayTake * aimedShare
}

/** The limit of a result, the attempt at a number of bytes, and which bytes of the result are compared with the limit. */
type Sharing = {
  readonly mayTake: number
  readonly attemptAt: (aimed: number) => RenderTry
  readonly bytesOf: (made: MadeFilm) => number
  /** The first try, if it was made already. */
  readonly made?: MadeFilm | undefined
}

/**
 * Encodes into a number of bytes, with the notes of an earlier run. Usually that takes one run; a film of few pictures may miss
 * its size, and is encoded again, corrected by how much it missed. Undefined if the bytes are too few for the encoder, or if
 * its result is too large.
 */
export function* aimAtBytes({
  mayTake,
  attemptAt,
  bytesOf,
  made,
}: Sharing): Course<Rendered | undefined> {
  let aimed = aimedBytes(mayTake)
  let before = 0
  for (let tries = 1; ; tries++) {
    const isMade = tries === 1 && made
    const outcome = isMade ? made : yield { ...attemptAt(aimed), mayBeRefused: true }
    if (!('pictureBytes' in outcome)) return undefined
    const share = bytesOf(outcome) / Math.max(1, mayTake)
    const isWithin = share <= goodShare.most
    const isStuck = Math.abs(share / Math.max(before, 1e-6) - 1) < sameShare
    if ((isWithin && share >= sharedEnough) || isStuck || tries >= mostSharings) {
      return isWithin ? outcome.result : undefined
    }
    before = share
    aimed *= aimedShare / share
  }
}
