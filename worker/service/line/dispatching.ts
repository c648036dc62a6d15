import type { Paces, TimeLeftRange, WorkDone } from '../../contract/job/paces.ts'
import type { IdleSlots } from '../../contract/job/part-job.ts'
import type { Env } from '../../settings.ts'
import { describeError, log } from '../log.ts'
import type { Borrower } from './lending.ts'
import type { LinePlan, TurnPlan, Waiting } from './line.ts'

/** The outcome of offering a job. `over`: the job was no longer waiting. */
export type OfferOutcome = 'started' | 'busy' | 'silent' | 'refused' | 'over'

export type Entering = Waiting & {
  plan: TurnPlan
  /** The greatest position of all accounts in the order of turns. */
  latest: number
  /** According to D1 no job stands in line, and the account has no cap. */
  mayTryAtOnce: boolean
}

/** An account with jobs in line, as D1 has it. */
export type AccountInLine = TurnPlan & { accountId: string; waiting: number; running: number }

/** `starts` and `ends` count from now on; undefined while no past jobs tell them. */
export type QueuePlace = {
  position: number
  startsInMs: number | undefined
  left: TimeLeftRange | undefined
}

/** `wait`: the job stands in line, and will be called. */
export type EnteredLine = { may: 'go' | 'wait'; paces: Paces }

/** `refused`: how often in a row. */
export type ContainerFault = { refused: number; said: string }

/** When a job that came now would begin; undefined while no past jobs tell that. */
export type Outlook = { paces: Paces; startsInMs: number | undefined }

/** The calls of the object that gives out slots. */
export type Dispatching = {
  /** A job wants a slot. */
  enter(job: Entering): Promise<EnteredLine>
  /** Reports the outcome of an offer that `go` has allowed. */
  offered(jobId: string, outcome: OfferOutcome): Promise<void>
  /** The job is over or back in the queue. May be called more than once. `worked`: the work done, if it succeeded. */
  left(jobId: string, freesSlot: boolean, worked?: readonly WorkDone[]): Promise<void>
  /** The job goes on without its slot. */
  leftSlot(jobId: string): Promise<void>
  changePlan(accountId: string, plan: LinePlan): Promise<void>
  /** Compares what the object knows with D1, and reads D1 again if something is missing. */
  lookAfter(accounts: AccountInLine[]): Promise<void>
  /** Which of these jobs stand in line and may go on waiting. */
  waitingOf(jobIds: string[]): Promise<string[]>
  /** A place for each of these jobs, which may be a page of a list; undefined for a job that does not stand in line. */
  placesOf(jobIds: string[]): Promise<(QueuePlace | undefined)[]>
  outlook(accountId: string): Promise<Outlook>
  /** Whether the container of a job could be started: `fault` is the engine's error if not. */
  containerStarted(fault: string | undefined): Promise<void>
  /** What keeps containers from starting, while none starts and none runs. */
  containerFault(): Promise<ContainerFault | undefined>
  /** How many slots this job could borrow now to have parts of its film rendered in them. */
  idleFor(borrower: Borrower): Promise<IdleSlots>
  /**
   * Lends a slot that no job waits for, under a number that the job chooses, or lets the job keep it for another part.
   * `held`: the slots that are lent to the job already, which a restarted dispatcher does not know.
   */
  lend(borrower: Borrower, slot: number, held: number[]): Promise<boolean>
  /** The job still has these slots. */
  keepLent(borrower: Borrower, slots: number[]): Promise<void>
  giveBack(jobId: string, slots: number[] | 'all'): Promise<void>
  /** No container could be started for the slot that was lent. */
  noContainer(jobId: string, slot: number): Promise<void>
  /** How many slots are lent now. */
  lent(): Promise<number>
}

/** The only dispatcher. Its work is a few microseconds for each job, so slots need several only beyond what one object can do. */
export function dispatcher(env: Env): Dispatching {
  // wrangler.toml binds DISPATCHER to the class of durable/dispatcher.ts, which has these methods.
  return env.DISPATCHER.getByName('slots') as unknown as Dispatching
}

/**
 * Tells the dispatcher about a slot. If the call is lost, it finds out within a minute, so a failure must not stop what
 * happens to the job.
 */
export async function tellDispatcher(
  env: Env,
  tell: (slots: Dispatching) => Promise<void>,
): Promise<void> {
  try {
    await tell(dispatcher(env))
  } catch (error) {
    log('warn', 'the dispatcher did not hear of a slot', describeError(error))
  }
}
