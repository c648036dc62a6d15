import { isTerminal } from '../../../worker/contract/video/video-state.ts'
import type { Answer, Client } from '../../support/worker/client.ts'
import { aField, aFile, upload } from '../../support/worker/forms/upload-form.ts'
import { sourceUrl } from '../../support/worker/videos.ts'
import type { FaultPoints } from './fault-points.ts'
import type { FoundRun } from './found-run.ts'
import type { Scenario } from './scenarios.ts'

/** A client that wants a video, repeats requests that got no answer, and may want something else later. */
export class ApiUser {
  accepted: Answer | undefined
  /** The answer to the later request. */
  last: Answer | undefined
  /** Whether it was told to come back later. */
  #waitsUntil = 0
  #hasAsked = false
  readonly #client: Client
  readonly #points: FaultPoints
  readonly #scenario: Scenario
  readonly #run: { name: string; url: string }

  constructor(
    standIns: { client: Client; points: FaultPoints },
    scenario: Scenario,
    run: { name: string; url: string },
  ) {
    this.#client = standIns.client
    this.#points = standIns.points
    this.#scenario = scenario
    this.#run = run
  }

  get isWaiting(): boolean {
    return !this.accepted || (this.#scenario.then !== 'waits' && !this.last)
  }

  /** When the client asks again. */
  get asksAt(): number {
    return Math.max(Date.now() + 30_000, this.#waitsUntil)
  }

  async act(found: FoundRun): Promise<void> {
    if (Date.now() < this.#waitsUntil) return
    if (!this.accepted) await this.#begin()
    if (this.accepted && !this.last) await this.#goOn(found)
  }

  async #begin(): Promise<void> {
    const answer = await this.#points.say('says: create', async () => this.#create())
    if (!answer) return
    if (answer.status === 202) this.accepted = answer
    else if (!mayBeRepeated(answer)) throw new Error(answer.text)
    this.#waitsUntil = Date.now() + Number(answer.headers.get('Retry-After')) * 1000
  }

  async #create(): Promise<Answer> {
    const wishes = { videoName: this.#run.name, webhookUrl: this.#run.url }
    const headers = { 'Idempotency-Key': this.#run.name }
    if (this.#scenario.by === 'json') {
      const body = { fileUrl: sourceUrl, enableThumbnail: true, ...wishes }
      return this.#client.post('/v1/videos', body, headers)
    }
    const fields = Object.entries(wishes).map(([name, value]) => aField(name, value))
    const form = [...fields, aFile()]
    return upload(this.#client, form, headers)
  }

  async #goOn({ video }: FoundRun): Promise<void> {
    const isOver = video !== undefined && isTerminal(video.status)
    switch (this.#scenario.then) {
      case 'waits':
        return
      case 'cancels at once':
        return this.#want('cancel')
      case 'cancels while it waits':
        if (video || this.#hasAsked) await this.#want('cancel')
        return
      case 'cancels while it runs':
        if (isOver || (video?.progressPercent ?? 0) >= 30) await this.#want('cancel')
        return
      case 'deletes':
        if (isOver || this.#hasAsked) await this.#want('delete')
    }
  }

  async #want(wish: 'cancel' | 'delete'): Promise<void> {
    this.#hasAsked = true
    const path = `/v1/videos/${String(this.accepted?.json['videoId'])}`
    const answer = await this.#points.say(`says: ${wish}`, async () =>
      wish === 'cancel' ? this.#client.post(`${path}/cancel`) : this.#client.delete(path),
    )
    if (answer && answer.status < 500) this.last = answer
  }
}

/**
 * The answers after which a client asks again: a server error, and a key whose first request still seems to be at work.
 */
function mayBeRepeated({ status }: Answer): boolean {
  return status >= 500 || status === 409
}
