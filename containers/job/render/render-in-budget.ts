import { secondsIn, type Written } from './run-plan.ts'
import { measureBytes } from '../../ffmpeg/measure-bytes.ts'
import {
  bytesUpTo,
  goodShare,
  growthOf,
  nextQuality,
  type ByteBudget,
  type TriedQuality,
} from '../../render/output/byte-budget.ts'
import type { Pass } from '../../render/output/passes.ts'
import { canShareOut } from '../../render/output/picture-codecs.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { Log } from '../../errors/log.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { JobContext } from '../job-context.ts'
import { mostLookedAtSeconds, unknownAgain } from '../report/work-ahead.ts'
import { JobError } from '../../errors/job-error.ts'

/** How far an encode came when it was stopped, or when it ended. */
export type Encoded<Result> = { readonly result: Result; readonly pictureBytes: number } | Stopped

type Stopped = {
  readonly stoppedAt: {
    readonly pictureBytes: number
    /** How many they may be. */
    readonly mayTake: number
  }
}

/** Tells after each report whether an encode has to be stopped, how far it has come, and how many more it takes. */
export type Watch = (written: Written) => Watched
type Watched = { readonly stoppedAt: Stopped['stoppedAt'] | undefined; readonly again: number }

/** How the picture is encoded: at a quality, or into a number of bytes; and in which of two runs over it. */
type Attempt = {
  readonly pass?: Pass['kind'] | undefined
  readonly pictureQuality?: number
  readonly pictureBytes?: number
}

/** A result is judged once this much of it is written. */
const judgedFromSeconds = 1
/** However much is written, the rest may still turn out otherwise. */
const leastDoubt = 0.02
/** A result that is nearly done is finished: it is measured as a whole. */
const judgedUpTo = 0.6
const mostTries = 5
/** A film in parts this far below what it may take looks nearly as good, and is not encoded again. */
const enoughShare = 0.8
/** Samples miss what the whole film takes by up to an eighth, and a film that is too large is encoded again, all of it. */
const sampledAim = (enoughShare + goodShare.most) / 2
/** A look takes fewer means than an encode, so that it finds a few hundredths more bytes than that, seldom a quarter. */
export const tooMuchSeen = 1.06

/** Whether a quick look at all pictures comes before the encode. */
export function isLookedAt({
  durationSeconds,
  ...wanted
}: Pick<Wanted, 'codec' | 'durationSeconds' | 'sample'>) {
  return isNoted(wanted) && durationSeconds <= mostLookedAtSeconds
}

/** Parts of a film have no notes of the whole, by which its bytes could be shared out. */
function isNoted({ codec, sample }: Pick<Wanted, 'codec' | 'sample'>): boolean {
  return canShareOut(codec) && !sample
}

type Wanted = {
  readonly clips: readonly Clip[]
  readonly budget: ByteBudget
  readonly asked: number
  readonly codec: RenderPlan['codec']
  readonly durationSeconds: number
  /** Of a film whose parts are encoded by several media workers: what some of its pictures take at a quality. */
  readonly sample?: ((quality: number) => Promise<Written | undefined>) | undefined
}

/**
 * `first`: the first encode, if it was made already, with notes where its encoder makes use of them: at the quality that was
 * asked for, or with its bytes shared out.
 */
type Wanting<Result> = Wanted & {
  readonly first?: (Finished<Result> & { readonly isShared: boolean }) | undefined
}

/** How many bytes of picture each clip has up to a moment. */
export async function seenBytes(tools: JobContext['tools'], clips: readonly Clip[]) {
  return Promise.all(
    clips.map(async ({ video, facts }) =>
      measureBytes(tools, storedStream(video).from.path, facts),
    ),
  )
}

type Finished<Result> = Exclude<Encoded<Result>, Stopped>

/** Shares out bytes by the notes of a run before; `made` is the first try, if that was made already. */
function sharer<Result>(
  mayTake: number,
  render: (attempt: Attempt) => Promise<Encoded<Result>>,
): (made?: Finished<Result>) => Promise<Result | undefined> {
  return async (made) => {
    let known = made
    const shared = await shareOut(mayTake, async (pictureBytes) => {
      const encoded = known ?? finished(await render({ pass: 'second', pictureBytes }))
      known = undefined
      return encoded
    })
    // A source that was coded worse than a picture may look here is encoded at lower qualities instead.
    return shared?.isWithin ? shared.result : undefined
  }
}

/**
 * Encodes at the quality that was asked for. As soon as it shows that the result would be larger than its sources, a
 * lower quality is begun in its place: what was written until then is all that is lost. A short film cannot be judged by its
 * beginning: x264 looks at the whole of it first, and shares out the bytes that it may have if that finds too many. So does
 * it where a finished encode turns out too large or too small.
 */
export async function renderInBudget<Result>(
  { tools, log }: Pick<JobContext, 'tools'> & { log: (...line: Parameters<Log>) => void },
  { clips, budget, durationSeconds, first, ...wanted }: Wanting<Result>,
  render: (attempt: Attempt, watch?: Watch) => Promise<Encoded<Result>>,
): Promise<Result> {
  const seen = await seenBytes(tools, clips)
  const upTo = (seconds?: number): number => bytesUpTo(budget, seen, seconds)
  const sharedOut = sharer(upTo(), render)
  let pass: Attempt['pass'] = isNoted(wanted) ? 'whole' : undefined
  if (first?.isShared) {
    const shared = await sharedOut(first)
    if (shared !== undefined) return shared
    pass = undefined
  }
  if (!first && isLookedAt({ ...wanted, durationSeconds })) {
    const { pictureBytes } = finished(await render({ pass: 'look', pictureQuality: wanted.asked }))
    if (pictureBytes > upTo() * tooMuchSeen) {
      const shared = await sharedOut()
      if (shared !== undefined) return shared
      pass = undefined
    }
  }
  const tried: TriedQuality[] = []
  const begin = await sampledQuality(wanted, upTo)
  let { quality, share: unseen } = begin
  const search = { ...wanted, grows: begin.grows, aim: wanted.sample && sampledAim }
  for (;;) {
    const isLast = tried.length + 1 >= mostTries
    const canLower = nextQuality([...tried, { quality, share: 9 }], search) !== undefined
    const judge = (share: number) => nextQuality([...tried, { quality, share }], search)
    const isGood = (share: number) => !judge(share)
    const watched = { upTo, durationSeconds, unseen, isGood }
    const watch = isLast || !canLower ? undefined : watchOf(watched)
    const isMade = first && !first.isShared && tried.length === 0
    const encoded = isMade ? first : await render({ pass, pictureQuality: quality }, watch)
    const { pictureBytes, mayTake } =
      'stoppedAt' in encoded ? encoded.stoppedAt : { ...encoded, mayTake: upTo() }
    const share = pictureBytes / Math.max(1, mayTake)
    tried.push({ quality, share })
    const isEnough = wanted.sample && share >= enoughShare && share <= goodShare.most
    const next = isLast || isEnough ? undefined : nextQuality(tried, search)
    if ('result' in encoded && next === undefined) return encoded.result
    if ('result' in encoded && pass) {
      const shared = await sharedOut()
      if (shared !== undefined) return shared
      pass = undefined
    }
    quality = next ?? quality
    unseen &&= sampledAim
    log('info', 'The result would have another size than its source; encoding it again', {
      ...{ share, quality },
    })
  }
}

const mostSamples = 2

/**
 * Which quality to begin with: the one that was asked for, unless samples of the film show that it takes too much; which
 * share of its bytes the film is likely to take then, and by how much that grows with the quality.
 */
async function sampledQuality(
  { sample, ...wanted }: Pick<Wanted, 'asked' | 'codec' | 'sample'>,
  upTo: (seconds: number) => number,
): Promise<{ quality: number; share?: number | undefined; grows?: number | undefined }> {
  const tried: TriedQuality[] = []
  let quality = wanted.asked
  while (sample && tried.length < mostSamples) {
    const written = await sample(quality)
    if (!written) return { quality }
    const { pictureBytes, stretches } = written
    const share = pictureBytes / Math.max(1, allowedIn(stretches, upTo))
    tried.push({ quality, share })
    const next = nextQuality(tried, { ...wanted, aim: sampledAim })
    if (next === undefined) return { quality, share, grows: growthIn(tried) }
    quality = next
  }
  return { quality, share: sample && sampledAim, grows: growthIn(tried) }
}

function growthIn([one, other]: readonly TriedQuality[]): number | undefined {
  return one && other && growthOf(one, other)
}

/** The bytes that these stretches may take. */
function allowedIn(stretches: Written['stretches'], upTo: (seconds: number) => number): number {
  return stretches.reduce((sum, { from, to }) => sum + upTo(to) - upTo(from), 0)
}

/** Only an encode with a watch is stopped. */
function finished<Result>(encoded: Encoded<Result>): Exclude<Encoded<Result>, Stopped> {
  if ('stoppedAt' in encoded) throw new Error('An encode was stopped that nobody watches')
  return encoded
}

function watchOf({
  upTo,
  durationSeconds,
  unseen,
  isGood,
}: Pick<Wanted, 'durationSeconds'> & {
  upTo: (seconds?: number) => number
  /** The share that samples promise of what is not written yet; what is written speaks for the rest if there are none. */
  unseen: number | undefined
  isGood: (share: number) => boolean
}): Watch {
  return ({ pictureBytes: written, stretches }) => {
    const seconds = secondsIn(stretches)
    const unknown = { stoppedAt: undefined, again: unknownAgain }
    if (seconds < judgedFromSeconds) return unknown
    const allowed = allowedIn(stretches, upTo)
    const mayTake = unseen === undefined ? allowed : upTo()
    const pictureBytes = written + (unseen ?? 0) * Math.max(0, mayTake - allowed)
    // The shorter a stretch, the farther it may be off: each begins with a key picture, which takes more than its share.
    const doubt = 3 / (1 + seconds / stretches.length) ** 1.2
    const isTooMuch = pictureBytes > mayTake * (goodShare.most + doubt)
    const mayStop = seconds <= durationSeconds * judgedUpTo
    if (isTooMuch && mayStop) return { stoppedAt: { pictureBytes, mayTake }, again: 1 }
    const share = pictureBytes / Math.max(1, mayTake)
    if (isGood(share)) return { stoppedAt: undefined, again: Math.min(unknownAgain, doubt) }
    if (doubt > 0.2) return unknown
    const far = Math.max(share - goodShare.most, goodShare.least - share)
    const likely = Math.min(1, 0.5 + far / (2 * Math.max(doubt, leastDoubt)))
    // One that is stopped soon leaves out the rest of its own run.
    const leftOut = share > goodShare.most && mayStop ? 0.9 - seconds / durationSeconds : 0
    return { stoppedAt: undefined, again: likely * (1 - leftOut) }
  }
}

const mostSharings = 3
/** x264 misses what it is given by a few hundredths, and more often below than above. */
const aimedShare = 1.02
/** A result this far below what it may take looks nearly as good, and is not encoded again. */
const sharedEnough = 0.85
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
    if ((isWithin && share >= sharedEnough) || isStuck || tries >= mostSharings) {
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
