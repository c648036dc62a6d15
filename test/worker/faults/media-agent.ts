import type { MediaJob, OutputKind } from '../../../worker/contract/job/media-job.ts'
import type { UploadedOutput } from '../../../worker/contract/job/report.ts'
import { Attempt, writeGranted } from '../../support/worker/attempt.ts'
import type { Answer } from '../../support/worker/client.ts'
import type { FaultPoints } from './fault-points.ts'

/** The behaviour of a media worker in one attempt. */
export type Script =
  | 'succeed'
  | 'succeed with a thumbnail'
  | 'fail'
  | 'release'
  | 'work long'
  | 'say nothing'

type Step = { name: string; say: () => Promise<Answer>; then?: (answer: Answer) => Promise<void> }

/** A media worker in one attempt. Like the real one it repeats every message until it is answered or told to stop. */
export class MediaAgent {
  stopped = false
  readonly attempt: Attempt
  readonly #points: FaultPoints
  readonly #written: UploadedOutput[] = []
  readonly #steps: Step[]
  readonly #isSlow: boolean

  constructor(points: FaultPoints, job: MediaJob, script: Script) {
    this.#points = points
    this.attempt = new Attempt(job)
    this.#steps = this.#plan(script)
    this.#isSlow = script === 'work long'
  }

  #plan(script: Script): Step[] {
    const { attempt } = this
    const goOn = (percent: number): Step => ({
      name: 'progress',
      say: async () => attempt.progress(percent),
    })
    const begin = [goOn(30), this.#store('final')]
    const succeed = { name: 'succeeded', say: async () => attempt.succeed(this.#written) }
    switch (script) {
      case 'succeed':
        return [...begin, succeed]
      case 'succeed with a thumbnail':
        return [...begin, this.#store('thumbnail'), succeed]
      case 'fail':
        return [...begin, { name: 'failed', say: async () => attempt.fail() }]
      case 'release':
        return [...begin, { name: 'released', say: async () => attempt.release() }]
      case 'work long':
        return [...begin, ...Array.from({ length: 12 }, (_, i) => goOn(31 + 2 * i)), succeed]
      case 'say nothing':
        return begin
    }
  }

  /** The service grants the upload; the bytes go straight to the bucket. */
  #store(kind: OutputKind): Step {
    const text = `${kind} made at fence ${this.attempt.job.fence}`
    return {
      name: `outputs ${kind}`,
      say: async () => this.attempt.askForUpload(kind, text.length),
      then: async (answer) => {
        const write = async () => writeGranted(answer, kind, text)
        this.#written.push(await this.#points.outside(write))
      },
    }
  }

  /** Sends all its messages, or only one if the work is long, until one gets no answer. */
  async act(): Promise<void> {
    while ((await this.#sayNext()) && this.isBusy && !this.#isSlow);
  }

  /** Sends one message, repeated while nobody answers it. */
  async #sayNext(): Promise<boolean> {
    const [step] = this.#steps
    const answer = step && (await this.#points.say(`says: ${step.name}`, this.#message(step)))
    if (!answer) return false
    const { status, json } = answer
    if (status === 401 || status === 409 || json['action'] === 'stop') this.stopped = true
    else if (status === 200) {
      await step.then?.(answer)
      this.#steps.shift()
    }
    return status === 200
  }

  /** A message keeps its number, however often it is sent. */
  #message({ say }: Step): () => Promise<Answer> {
    const before = this.attempt.sequence
    return async () => {
      const latest = this.attempt.sequence
      this.attempt.sequence = before
      const answer = await say()
      this.attempt.sequence = Math.max(latest, this.attempt.sequence)
      return answer
    }
  }

  /** Sends one more report when everything is over. Returns true if it is told that the attempt is not wanted. */
  async isUnwanted(): Promise<boolean> {
    const { status, json } = await this.attempt.progress(99)
    return status === 401 || status === 409 || json['action'] === 'stop'
  }

  /** True while it has messages to send. */
  get isBusy(): boolean {
    return !this.stopped && this.#steps.length > 0
  }
}
