import type { LogFields } from '../../errors/log.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { DivisionChoice } from './render-in-parts.ts'
import { type Rendered, type Written } from './run-plan.ts'
import type { Variation } from '../plan/plan-job.ts'
import { totalLength } from '../../numbers/spans.ts'

/** One way to make a film. */
export type RenderTry = {
  readonly plan: RenderPlan
  /**
   * `encode`: in parts, if that is worth it. `whole`: in one run of ffmpeg. `copy`: with the pictures of the source, with which
   * they are compared afterwards. `look`: all pictures, to see how many bytes they take. `sample`: the same with some pictures
   * of a film in parts. `notes`: a first run over the pictures, which only notes what the second one needs; with VP9, its file
   * has no pictures.
   */
  readonly how: 'encode' | 'whole' | 'copy' | 'look' | 'sample' | 'notes'
  /** The name of the file without its extension. */
  readonly stem?: string
  readonly watch?: Watch | undefined
  /** Between which shares of the rendering its progress moves; progress of a very short attempt is not reported. */
  readonly shares?: readonly [from: number, to: number] | 'untold' | undefined
  /** Whether the encoder may refuse because the bytes may be too few for it. */
  readonly mayBeRefused?: boolean
  /** A result that is not needed any more, and is removed to make room for this one. */
  readonly dropped?: Rendered | undefined
  /** The outcome of the attempt before it, for the log. */
  readonly because?: LogFields | undefined
}

/** Decides after each report whether an encode must be stopped, how far it has come, and how many more will follow. */
export type Watch = (written: Written) => WatchedRun
type WatchedRun = { readonly stoppedAt: Stopped['stoppedAt'] | undefined; readonly again: number }

/** How far an encode had come when it was stopped. */
export type Stopped = {
  readonly stoppedAt: {
    readonly pictureBytes: number
    /** The most bytes that they may take. */
    readonly mayTake: number
  }
}
export type MadeFilm = { readonly result: Rendered; readonly pictureBytes: number }
export type EncodeEnd = MadeFilm | Stopped
type Copied = { readonly result: Rendered }
type Failed = { readonly why: string }
type SampledFilm = { readonly sampled: Written }
type Noted = { readonly notes: string }
type LookedAt = { readonly seenBytes: number }
export type Outcome = EncodeEnd | Copied | Failed | LookedAt | SampledFilm | Noted

/** A film, with what decides in which ways it is tried. */
export type OpenedFilm = {
  readonly plan: RenderPlan
  /** Plans the film in another way. */
  readonly planFor: (variation: Variation) => RenderPlan
  readonly choice: DivisionChoice
  /** The requested quality. */
  readonly asked: number
  /** The name of the notes that the first run over the pictures makes for the second. */
  readonly notes: string
  /** The first encode, if it was made together with others: at the requested quality, or with its bytes shared out. */
  readonly first: (MadeFilm & { readonly isShared: boolean }) | undefined
}

/** Decides after each attempt which one follows, until one is good enough. */
export type Course<Result = Rendered> = Generator<RenderTry, Result, Outcome>

/** Makes one attempt after another, as the course decides. */
export async function follow<Result>(
  course: Course<Result>,
  make: (attempt: RenderTry) => Promise<Outcome>,
): Promise<Result> {
  let step = course.next()
  while (!step.done) step = course.next(await make(step.value))
  return step.value
}

/** An encode that its watch may stop. */
export function* encodedBy(attempt: RenderTry): Course<EncodeEnd> {
  const outcome = yield attempt
  if ('pictureBytes' in outcome || 'stoppedAt' in outcome) return outcome
  throw new Error('An encode failed that was not to be refused')
}

/** An encode that nothing stops. */
export function* madeBy(attempt: RenderTry): Course<MadeFilm> {
  const encoded = yield* encodedBy(attempt)
  if ('result' in encoded) return encoded
  throw new Error('An encode was stopped that nobody watches')
}

/** How many bytes the pictures take in a quick look. */
export function* lookedBy(attempt: RenderTry): Course<number> {
  const outcome = yield attempt
  if ('seenBytes' in outcome) return outcome.seenBytes
  throw new Error('A look has told nothing')
}

/** Watches an encode that is probably followed by this many others. */
export function followedBy(again: number): Watch {
  return () => ({ stoppedAt: undefined, again })
}

/** How often a result that is larger than its source is encoded again: once, or as many times as are allowed. */
export function triesAfter({ mostBytes, durationSeconds }: RenderPlan, tries: number): Watch {
  return ({ pictureBytes, stretches }) => {
    const seconds = totalLength(stretches)
    const isKnown = mostBytes !== undefined && seconds >= judgedFromSeconds
    const isLarger = isKnown && (pictureBytes * durationSeconds) / seconds > mostBytes
    return { stoppedAt: undefined, again: isLarger ? tries : 0 }
  }
}

/** This many seconds must be written before they show how large the result will be. */
const judgedFromSeconds = 4
