import type { LogFields } from '../../errors/log.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { DivisionChoice } from './render-in-parts.ts'
import { secondsIn, type Rendered, type Written } from './run-plan.ts'
import type { Variation } from '../plan/plan-job.ts'

/** One way to make a film. */
export type Attempt = {
  readonly plan: RenderPlan
  /**
   * `encode`: in parts, if that is worth it. `whole`: in one run of ffmpeg. `copy`: with the pictures of the source, which are
   * compared with it afterwards. `look`: all pictures, to see what they take. `sample`: the same with some pictures of a film in
   * parts. `notes`: a first run over the pictures, which only writes down what the second one needs; the file of VP9 has no
   * pictures then.
   */
  readonly how: 'encode' | 'whole' | 'copy' | 'look' | 'sample' | 'notes'
  /** What the file is called. */
  readonly stem?: string
  readonly watch?: Watch | undefined
  /** The shares of the rendering between which its progress counts; none is told of what takes a moment. */
  readonly shares?: readonly [from: number, to: number] | 'untold' | undefined
  /** Whether the encoder may refuse, because the bytes may be too few for it. */
  readonly mayBeRefused?: boolean
  /** A result that is not needed any more, and leaves its room to this one. */
  readonly dropped?: Rendered | undefined
  /** What came of the attempt before it, for the log. */
  readonly because?: LogFields | undefined
}

/** Tells after each report whether an encode has to be stopped, how far it has come, and how many more it takes. */
export type Watch = (written: Written) => Watched
type Watched = { readonly stoppedAt: Stopped['stoppedAt'] | undefined; readonly again: number }

/** How far an encode came when it was stopped. */
export type Stopped = {
  readonly stoppedAt: {
    readonly pictureBytes: number
    /** How many they may be. */
    readonly mayTake: number
  }
}
export type MadeFilm = { readonly result: Rendered; readonly pictureBytes: number }
export type Encoded = MadeFilm | Stopped
type Copied = { readonly result: Rendered }
type Failed = { readonly why: string }
type Sampled = { readonly sampled: Written }
type Noted = { readonly notes: string }
type Looked = { readonly seenBytes: number }
export type Outcome = Encoded | Copied | Failed | Looked | Sampled | Noted

/** A film, as far as it decides in which ways it is tried. */
export type OpenedFilm = {
  readonly plan: RenderPlan
  /** Plans it in another way. */
  readonly planFor: (variation: Variation) => RenderPlan
  readonly choice: DivisionChoice
  /** The quality that was asked for. */
  readonly asked: number
  /** What the first run over the pictures writes down for the second. */
  readonly notes: string
  /** The first encode, if it was made beside others: at the quality that was asked for, or with its bytes shared out. */
  readonly first: (MadeFilm & { readonly isShared: boolean }) | undefined
}

/** Decides after each attempt which one follows, until one is good enough. */
export type Course<Result = Rendered> = Generator<Attempt, Result, Outcome>

/** Makes one attempt after another, as the course decides. */
export async function follow<Result>(
  course: Course<Result>,
  make: (attempt: Attempt) => Promise<Outcome>,
): Promise<Result> {
  let step = course.next()
  while (!step.done) step = course.next(await make(step.value))
  return step.value
}

/** An encode that its watch may stop. */
export function* encodedBy(attempt: Attempt): Course<Encoded> {
  const outcome = yield attempt
  if ('pictureBytes' in outcome || 'stoppedAt' in outcome) return outcome
  throw new Error('An encode failed that was not to be refused')
}

/** An encode that nothing stops. */
export function* madeBy(attempt: Attempt): Course<MadeFilm> {
  const encoded = yield* encodedBy(attempt)
  if ('result' in encoded) return encoded
  throw new Error('An encode was stopped that nobody watches')
}

/** How many bytes the pictures of a look have. */
export function* lookedBy(attempt: Attempt): Course<number> {
  const outcome = yield attempt
  if ('seenBytes' in outcome) return outcome.seenBytes
  throw new Error('A look has told nothing')
}

/** Watches an encode that is probably followed by this many others. */
export function followedBy(again: number): Watch {
  return () => ({ stoppedAt: undefined, again })
}

/** A result that comes out larger than its source is encoded again: once, or as many times as are allowed. */
export function triesAfter({ mostBytes, durationSeconds }: RenderPlan, tries: number): Watch {
  return ({ pictureBytes, stretches }) => {
    const seconds = secondsIn(stretches)
    const isKnown = mostBytes !== undefined && seconds >= judgedFromSeconds
    const isLarger = isKnown && (pictureBytes * durationSeconds) / seconds > mostBytes
    return { stoppedAt: undefined, again: isLarger ? tries : 0 }
  }
}

/** This many seconds must be written before they show how large the result will be. */
const judgedFromSeconds = 4
