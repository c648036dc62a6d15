import type { JobMessage } from '../../contract/job/job-message.ts'
import type { OutputKind } from '../../contract/job/media-job.ts'
import type { AttemptTrace } from '../../contract/job/report.ts'
import type { Phase } from '../../contract/video/video-state.ts'
import type { Lease } from '../../service/jobs/decide-lease.ts'
import type { LiveProgress } from '../../service/jobs/live-progress.ts'
import type { JobToRun } from '../../store/jobs/jobs.ts'
import type { PendingUpload } from '../../store/objects/objects.ts'
import type { InsightNews } from '../../store/videos/insight-changes.ts'
import type { WorkIdentity } from '../../store/videos/terminal-change.ts'
import type { Claim } from '../../store/videos/transitions.ts'

const keptAfterEndMs = 3_600_000
const windowPrefix = 'window/'
/** The prefix of names under which attempts have kept results for later jobs of the account. */
const rememberedPrefix = 'remembered/'
/** The number of the last attempt that kept something new. */
const furtherKey = 'further'
/** When this object checks whether the job has ended, because a statement may still write its end. */
const expectedKey = 'expected'

export type GrantedUpload = PendingUpload & { contentType: string; extension: string }

/** The attempt that a media worker has accepted and not yet ended. */
export type Running = Lease & {
  fence: number
  attempt: number
  worker: string
  /** As last told, at `at`. */
  left?: LiveProgress['left']
  lastSequence: number
  phase: Phase
  percent: number
  /** The percentage that earlier attempts have shown; absent from an attempt that began before this was noted. */
  shownBefore?: number
  savedPercent: number
  /** As last heard. */
  insights: InsightNews
  /** When anything that readers are shown last changed. */
  shownAt: number
  /** Changes with every save. */
  saves: number
  /** The job waits for slow sources, and its media worker may take another one. */
  slotFree?: boolean
  uploads: Partial<Record<OutputKind, GrantedUpload>>
  /** The facts about the job that parts of the film need. */
  film: { accountId: string; maxRunning: number | null; uploadId: string | undefined }
  /** Identifies the result that the attempt makes, once its files are known. */
  made?: WorkIdentity | undefined
  /** The version of the programs with which its media worker makes the result, once it was reported. */
  engine?: string
  /** When each phase was first reported, for an attempt that never sends its own trace. */
  phases: { name: Phase; startedAt: number }[]
}

/** What a JobRunner remembers about its job; D1 has what others read. */
export type RunState = {
  jobId: string
  videoId: string
  /** The number of the last claim that was offered; never repeats. */
  fence: number
  attempts: number
  /** When the first attempt began. The limit is on all attempts together. */
  startedAt?: number
  /**
   * An offer with this fence is under way, and then its start. Found by an object that has just come to life, it says that
   * a start may have been sent that is still to be written.
   */
  offering?: true
  /** Since when every media worker that answers has refused the job. */
  refusedSince?: number
  running?: Running
  endedAt?: number
}

/**
 * What a JobRunner remembers, and when its alarm wakes it. The state of an ended job is kept only while an alarm is set
 * to remove it.
 */
export class JobMemory {
  readonly #storage: DurableObjectStorage
  #confirmed: number | undefined
  /** Whether a message has come since the last one was taken. */
  #hasMessage = false

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  state(): RunState | undefined {
    return this.#storage.kv.get<RunState>('run')
  }

  save(state: RunState): void {
    this.#storage.kv.put('run', state)
  }

  /** D1 has just confirmed this claim. An object that was restarted may have missed that it no longer holds. */
  confirm(fence: number): void {
    this.#confirmed = fence
  }

  /** A statement is about to end the claim. If its answer is lost, the next report asks whether the claim still holds. */
  doubt(): void {
    this.#confirmed = undefined
  }

  isConfirmed(fence: number): boolean {
    return this.#confirmed === fence
  }

  /** A message that has come meanwhile is not put off. */
  async wakeAt(at: number): Promise<void> {
    await this.#storage.setAlarm(this.#hasMessage ? Date.now() : at)
  }

  /**
   * Keeps a message for the alarm, which rings at once, and again if this object dies while it handles the message.
   * Queues deliver twice and late: an older message must not replace a newer one, or the job would not be offered.
   */
  async keepMessage(message: JobMessage): Promise<void> {
    const { chain = -1 } = this.#storage.kv.get<JobMessage>('message') ?? {}
    if (message.chain >= chain) {
      this.#storage.kv.put('message', message)
      this.#hasMessage = true
    }
    await this.wakeAt(Date.now())
  }

  takeMessage(): JobMessage | undefined {
    this.#hasMessage = false
    return this.#storage.kv.get<JobMessage>('message')
  }

  /** The message that was taken is done. One that came meanwhile may ask for another try with the container. */
  nextMessage(): JobMessage | undefined {
    if (this.#hasMessage) return this.takeMessage()
    this.#storage.kv.delete('message')
    return undefined
  }

  /** Keeps what an attempt has heard of the sound for the next one. */
  keepWindow({ attempt }: Running, name: string, text: string): void {
    this.#keep(attempt, windowPrefix + name, text)
  }

  /** Notes that an attempt has kept something for later jobs of the account, so that the next attempt finds it as well. */
  noteRemembered({ attempt, fence }: Running, name: string): void {
    // The attempt may have ended while the entry was written.
    if (this.state()?.running?.fence === fence) this.#keep(attempt, rememberedPrefix + name, true)
  }

  /**
   * An attempt gets further by keeping what no attempt has kept before. Each name identifies its content: the same sound
   * always has the same names, so attempts that die at the same place keep nothing new.
   */
  #keep(attempt: number, key: string, value: string | true): void {
    const isNew = this.#storage.kv.get(key) === undefined
    this.#storage.kv.put(key, value)
    if (isNew) this.#storage.kv.put(furtherKey, attempt)
  }

  /** How many of these attempts came after the last one that got further. */
  attemptsInVain(attempts: number): number {
    return attempts - (this.#storage.kv.get<number>(furtherKey) ?? 0)
  }

  /** The next attempt has the number after this one: the same again, if an attempt that got further was handed back. */
  expectAttemptAfter(attempts: number): void {
    if (this.attemptsInVain(attempts) < 0) this.#storage.kv.put(furtherKey, attempts)
  }

  /** Those of the named windows of sound that an attempt has heard. */
  keptWindows(names: readonly string[]): { name: string; text: string }[] {
    return names.flatMap((name) => {
      const text = this.#storage.kv.get<string>(windowPrefix + name)
      return text === undefined ? [] : [{ name, text }]
    })
  }

  /**
   * Call this before the row says that a job has ended, so that this object finds out even if it dies in between. While
   * the job is held, the alarm of its lease does that.
   */
  async expectEnd(): Promise<void> {
    this.doubt()
    const state = this.state()
    if (!state || state.running) return
    const at = Date.now() + keptAfterEndMs
    this.#storage.kv.put(expectedKey, at)
    await this.wakeAt(at)
  }

  /** The alarm has rung for a message, and not for the end that was expected: that may still be written. */
  async expectEndStill(): Promise<void> {
    const at = this.#storage.kv.get<number>(expectedKey) ?? 0
    if (at > Date.now()) await this.wakeAt(at)
  }

  /**
   * Remembers that the job has ended; an hour later this object forgets it. The alarm is set first, in case the object
   * dies in between.
   */
  async rememberEnd({ jobId, videoId, fence, attempts }: RunState): Promise<void> {
    const endedAt = Date.now()
    await this.wakeAt(endedAt + keptAfterEndMs)
    for (const prefix of [windowPrefix, rememberedPrefix, furtherKey, expectedKey]) {
      for (const [key] of [...this.#storage.kv.list({ prefix })]) this.#storage.kv.delete(key)
    }
    this.save({ jobId, videoId, fence, attempts, endedAt })
  }

  /** Forgets an ended job when its hour is over, and wakes up again if that is not yet so. */
  async forgetLater(endedAt: number): Promise<void> {
    const dueAt = endedAt + keptAfterEndMs
    if (Date.now() < dueAt) await this.wakeAt(dueAt)
    else await this.#storage.deleteAll()
  }
}

type BegunPhases = Running['phases']

export function withPhase(begun: BegunPhases, phase: Phase): BegunPhases {
  if (begun.some(({ name }) => name === phase)) return begun
  return [...begun, { name: phase, startedAt: Date.now() }]
}

/** What is known about an attempt whose media worker can no longer be asked. */
export function observedTrace({ phases: begun }: Running, now: number): AttemptTrace {
  const timed = begun.map(({ name, startedAt }, i) => ({
    name,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.max(0, (begun[i + 1]?.startedAt ?? now) - startedAt),
  }))
  return { phases: timed, commands: [] }
}

export function claimOf(state: RunState, running: Running): Claim {
  return { jobId: state.jobId, videoId: state.videoId, fence: running.fence }
}

/** The last claim on the job, as its row has it. */
export function unclaimed({ job, video }: JobToRun): Claim {
  return { jobId: job.id, videoId: video.id, fence: job.fence }
}

/** The progress that readers are shown; undefined while no attempt runs. */
export function liveOf(state: RunState | undefined): LiveProgress | undefined {
  const { running } = state ?? {}
  if (!running) return undefined
  const { phase, percent, insights, shownAt: at, left } = running
  return { phase, percent, insights, at, ...(left && { left }) }
}
