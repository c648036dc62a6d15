import { measureBytes } from '../../ffmpeg/measure-bytes.ts'
import type { FfmpegProgress } from '../../ffmpeg/process/read-progress.ts'
import {
  bytesUpTo,
  goodShare,
  nextQuality,
  type ByteBudget,
  type TriedQuality,
} from '../../render/output/byte-budget.ts'
import type { Log } from '../../errors/log.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { JobContext } from '../job-context.ts'

/** How far an encode came when it was stopped, or when it ended. */
export type Encoded<Result> = { readonly result: Result; readonly pictureBytes: number } | Stopped

type Stopped = {
  readonly stoppedAt: {
    readonly pictureBytes: number
    /** What they may take. */ readonly mayTake: number
  }
}

/** Tells after each report whether an encode has to be stopped, how far it has come, and how many more it takes. */
export type Watch = (written: Written) => Watched
/** What an encode has written: one stretch from the start of the film, or those of its parts. */
export type Written = {
  readonly pictureBytes: number
  readonly stretches: readonly { readonly from: number; readonly to: number }[]
}
type Watched = { readonly stoppedAt: Stopped['stoppedAt'] | undefined; readonly again: number }

/** x264 and libvpx count a picture when they take it, and write it this many pictures later. */
export const heldBackPictures = 36
/** A result is judged once this much of it is written. */
const judgedFromSeconds = 1
/** A share this far outside of the good ones will hardly come back into them. */
const farShare = 0.2
/** A result that is nearly done is finished: it is measured as a whole. */
const judgedUpTo = 0.6
const mostTries = 5

type Wanted = {
  readonly clips: readonly Clip[]
  readonly budget: ByteBudget
  readonly asked: number
  readonly format: Parameters<typeof nextQuality>[1]['format']
  readonly durationSeconds: number
}

/**
 * Encodes at the quality that was asked for. As soon as it shows that the result would be larger than its sources, a
 * lower quality is begun in its place: what was written until then is all that is lost.
 */
export async function renderInBudget<Result>(
  { tools, log }: Pick<JobContext, 'tools'> & { log: (...line: Parameters<Log>) => void },
  { clips, budget, durationSeconds, ...wanted }: Wanted,
  render: (quality: number, watch: Watch | undefined) => Promise<Encoded<Result>>,
): Promise<Result> {
  const seen = await Promise.all(
    clips.map(async ({ video, facts }) =>
      measureBytes(tools, storedStream(video).from.path, facts),
    ),
  )
  const upTo = (seconds?: number): number => bytesUpTo(budget, seen, seconds)
  const tried: TriedQuality[] = []
  let quality = wanted.asked
  for (;;) {
    const isLast = tried.length + 1 >= mostTries
    const canLower = nextQuality([...tried, { quality, share: 9 }], wanted) !== undefined
    const judge = (share: number) => nextQuality([...tried, { quality, share }], wanted)
    const watched = { upTo, durationSeconds, isGood: (share: number) => !judge(share) }
    const watch = isLast || !canLower ? undefined : watchOf(watched)
    const encoded = await render(quality, watch)
    const { pictureBytes, mayTake } =
      'stoppedAt' in encoded ? encoded.stoppedAt : { ...encoded, mayTake: upTo() }
    tried.push({ quality, share: pictureBytes / Math.max(1, mayTake) })
    const next = isLast ? undefined : nextQuality(tried, wanted)
    if ('result' in encoded && next === undefined) return encoded.result
    quality = next ?? quality
    log('info', 'The result would have another size than its source; encoding it again', {
      ...{ share: tried.at(-1)?.share, quality },
    })
  }
}

/** What an encode of the whole has written. */
export function writtenBy(
  { frames, sizeBytes, outSeconds }: FfmpegProgress,
  budget: ByteBudget | undefined,
): Written {
  if (!budget) return { pictureBytes: sizeBytes, stretches: [{ from: 0, to: outSeconds }] }
  const seconds = Math.max(0, (frames - heldBackPictures) / budget.fps)
  const pictureBytes = sizeBytes - budget.soundBytes * seconds
  return { pictureBytes, stretches: [{ from: 0, to: seconds }] }
}

export function secondsIn(stretches: Written['stretches']): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0)
}

function watchOf({
  upTo,
  durationSeconds,
  isGood,
}: Pick<Wanted, 'durationSeconds'> & {
  upTo: (seconds: number) => number
  isGood: (share: number) => boolean
}): Watch {
  return ({ pictureBytes, stretches }) => {
    const seconds = secondsIn(stretches)
    if (seconds < judgedFromSeconds) return { stoppedAt: undefined, again: 0 }
    const mayTake = stretches.reduce((sum, { from, to }) => sum + upTo(to) - upTo(from), 0)
    // The shorter a stretch, the farther it may be off: each begins with a key picture, which takes more than its share.
    const doubt = 3 / (1 + seconds / stretches.length) ** 1.2
    const isTooMuch = pictureBytes > mayTake * (goodShare.most + doubt)
    const mayStop = seconds <= durationSeconds * judgedUpTo
    if (isTooMuch && mayStop) return { stoppedAt: { pictureBytes, mayTake }, again: 1 }
    const share = pictureBytes / Math.max(1, mayTake)
    if (doubt > 0.2 || isGood(share)) return { stoppedAt: undefined, again: 0 }
    const far = Math.max(share - goodShare.most, goodShare.least - share)
    const likely = Math.min(1, far / farShare)
    // One that is stopped soon leaves out the rest of its own run.
    const leftOut = share > goodShare.most && mayStop ? 0.9 - seconds / durationSeconds : 0
    return { stoppedAt: undefined, again: likely * (1 - leftOut) }
  }
}
