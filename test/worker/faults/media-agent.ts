import type { MediaJob, OutputKind } from '../../../worker/contract/media-job.ts'
import type { UploadedOutput } from '../../../worker/contract/report.ts'
import { Attempt, writeGranted } from '../../support/worker/attempt.ts'
import type { Answer } from '../../support/worker/client.ts'
import type { FaultPoints } from './fault-points.ts'

/** What a media worker does with one attempt that it has taken. */
export type Script =
  'succeed' | 'succeed with a thumbnail' | 'fail' | 'release' | 'work long' | 'say nothing'

type Step = { name: string; say: () => Promise<Answer>; then?: (answer: Answer) => Promise<void> }

/** A media worker at one attempt. Like the real one it says everything until it is answered, or told to stop. */
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

  /** The service grants; the bytes go past it, straight to the bucket. */
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

  /** Says all it has to say, or one thing where the work is long, until it is not answered. */
  async act(): Promise<void> {
    while ((await this.#sayNext()) && this.isBusy && !this.#isSlow);
  }

  /** One message, again as long as nobody answers it. */
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

  /** However often it is sent, it is the same message: its number is taken once. */
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

  /** Speaks once more when everything is over. True when it is told that nobody wants this attempt. */
  async isUnwanted(): Promise<boolean> {
    const { status, json } = await this.attempt.progress(99)
    return status === 401 || status === 409 || json['action'] === 'stop'
  }

  /** True while it has something to say. */
  get isBusy(): boolean {
    return !this.stopped && this.#steps.length > 0
  }
}
