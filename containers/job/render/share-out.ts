import { JobError } from '../../errors/job-error.ts'
import { goodShare } from '../../render/output/byte-budget.ts'

const mostTries = 3
/** x264 misses what it is given by a few hundredths, and more often below than above. */
const aimedShare = 1.02
/** A result this far below what it may take looks nearly as good, and is not encoded again. */
const enoughShare = 0.85
/** A result that changes by less does not follow what it is given: it looks as bad as it may already. */
const sameShare = 0.02

/** What to ask for so that about as much comes out. */
export function aimedBytes(mayTake: number): number {
  return mayTake * aimedShare
}

/**
 * Encodes into a number of bytes, by the notes of a run before. Most often that takes one run; a film of few pictures may
 * miss its bytes, and is encoded again by how much it missed them. Undefined if the bytes are too few for the encoder.
 */
export async function shareOut<Result>(
  mayTake: number,
  render: (aimed: number) => Promise<{ readonly result: Result; readonly pictureBytes: number }>,
): Promise<{ readonly result: Result; readonly isWithin: boolean } | undefined> {
  let aimed = aimedBytes(mayTake)
  let before = 0
  for (let tries = 1; ; tries++) {
    const encoded = await render(aimed).catch(refused)
    if (!encoded) return undefined
    const { result, pictureBytes } = encoded
    const share = pictureBytes / Math.max(1, mayTake)
    const isWithin = share <= goodShare.most
    const isStuck = Math.abs(share / Math.max(before, 1e-6) - 1) < sameShare
    if ((isWithin && share >= enoughShare) || isStuck || tries >= mostTries) {
      return { result, isWithin }
    }
    before = share
    aimed *= aimedShare / share
  }
}

/** x264 ends with an error then. A job that was stopped has another one. */
function refused(error: unknown): undefined {
  if (error instanceof JobError && error.reason === 'source_undecodable') return undefined
  throw error
}
