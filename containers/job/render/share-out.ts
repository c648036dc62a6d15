import { goodShare } from '../../render/output/byte-budget.ts'
import type { Attempt, Course, MadeFilm } from './attempt.ts'
import type { Rendered } from './run-plan.ts'

const mostSharings = 3
/** x264 keeps to what it is given within a few hundredths, but makes more of a few seconds of noise, which is then encoded again. */
const aimedShare = goodShare.wanted
/** A result this far below what it may take looks nearly as good, and is not encoded again. */
const sharedEnough = 0.85
/** A result that changes by less does not follow what it is given: it looks as bad as it may already. */
const sameShare = 0.02

/** What to ask for so that about as much comes out. */
export function aimedBytes(mayTake: number): number {
  return mayTake * aimedShare
}

/** The bytes that a result may take, the attempt at a number of them, and what of a result they are compared with. */
type Sharing = {
  readonly mayTake: number
  readonly attemptAt: (aimed: number) => Attempt
  readonly bytesOf: (made: MadeFilm) => number
  /** The first try, if that was made already. */
  readonly made?: MadeFilm | undefined
}

/**
 * Encodes into a number of bytes, by the notes of a run before. Most often that takes one run; a film of few pictures may
 * miss its bytes, and is encoded again by how much it missed them. Undefined if the bytes are too few for the encoder, or if
 * what it makes of them is too large.
 */
export function* shareOut({
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
