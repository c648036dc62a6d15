import type { Account } from './account.ts'
import { DirectUpload } from './direct-upload.ts'
import { EarlyRename, newName, newNotesOf } from './early-rename.ts'
import { erase } from './erase.ts'
import type { Answer, Exchange } from './exchange.ts'
import { Follower } from './follower.ts'
import { NameSpeakers } from './name-speakers.ts'
import { redeliver, type Redelivered } from './redeliver.ts'
import { allowsNothing, formFor, wishFor, type Plan } from './order-wish.ts'
import { goes, settledOf, strangeIn } from './settled-record.ts'
import type { World } from '../engine/world.ts'
import { isAnswering } from '../engine/silence.ts'

/** Learns which place in line a customer was told. */
type LineListener = { told(videoId: string, position: number): void }
/** Learns of requests that change what may be seen, and of confirmed deletions. */
type FilesListener = {
  deleting(videoId: string): void
  deleted(videoId: string, isNaming: boolean): void
  redelivering(deliveryId: string): void
}
type Parts = {
  world: World
  exchange: Exchange
  line: LineListener
  files: FilesListener
  /** The orders of all accounts, the oldest first. */
  orders: readonly Order[]
}

/** More requests than an account with a small limit has in a minute. */
const hurried = 50

/** One customer's order of one video: what was asked for, and what was promised. */
export class Order {
  readonly name: string
  readonly account: Account
  readonly #world: World
  readonly #exchange: Exchange
  readonly #line: LineListener
  readonly #files: FilesListener
  readonly #orders: readonly Order[]
  readonly #plan: Plan
  readonly #early: EarlyRename
  readonly #names: NameSpeakers
  #follower: Follower | undefined
  videoId: string | undefined
  jobId: string | undefined
  #asked: Record<string, unknown> = {}
  #begunAt = 0
  /** The exact answer to the create. */
  accepted: string | undefined
  isOver = false
  refused: number | undefined
  /** The upload of its source, if the source was uploaded. */
  uploadId: string | undefined
  wasDeleted = false
  wasCanceled = false
  /** A webhook that the customer asked for again, and when. */
  redelivered: Redelivered | undefined
  /** The last record that was read. */
  last: Record<string, unknown> | undefined

  constructor(
    parts: Parts,
    { name, account, plan }: { name: string; account: Account; plan: Plan },
  ) {
    this.#world = parts.world
    this.#exchange = parts.exchange
    this.#line = parts.line
    this.#files = parts.files
    this.#orders = parts.orders
    this.name = name
    this.account = account
    this.#plan = plan
    this.#early = new EarlyRename(parts.world, this, () => this.#follower?.told)
    const ask = async (change: unknown) => this.#ask('PATCH', this.#path, change)
    this.#names = new NameSpeakers({ world: parts.world, name, ask })
  }

  async live(): Promise<void> {
    const { loop } = this.#world
    this.#begunAt = loop.now
    const sourceVideoId = this.#drawn('reuses') < 0.2 ? this.#earlierOfFile() : undefined
    if (sourceVideoId !== undefined) this.#sourceVideoId = sourceVideoId
    else if (this.#drawn('sends') < 0.3 && !(await this.#sendFile())) {
      this.isOver = true
      return
    }
    if (this.#takesBack) void this.#takeBack()
    if (this.#hasRival) void this.#create(`${this.#token}-rival`, false)
    if (!(await this.#create())) {
      this.isOver = true
      return
    }
    if (this.#plan === 'repeats') void this.#repeatLater()
    if (this.#plan === 'hurries') await this.#hurry()
    if (this.#plan === 'renames' || this.#plan === 'follows') void this.#early.begin()
    if (this.#plan === 'cancels') {
      await loop.pause(90_000 * this.#drawn('patience') ** 3)
      await this.#cancel()
    }
    await (this.#plan === 'follows' ? this.#follow() : this.#untilEnd())
    if (this.last?.['status'] === 'succeeded' && allowsNothing(this.#asked))
      this.#world.break(`${this.name} was made, and goes beyond what its customer allows`)
    if (this.last) this.#names.begin(this.last)
    if (this.#plan === 'deletes') await this.#deleteOnceOrTwice()
    if (this.#plan === 'redelivers') await this.#redeliver()
    if (this.#plan === 'erases') void this.#erase()
    if (this.#plan === 'renames') await this.rename()
    this.isOver = true
  }

  #sourceVideoId: string | undefined

  /** An earlier video of the same account whose file may still be kept. */
  #earlierOfFile(): string | undefined {
    const earlier = this.#orders.filter(
      ({ account, uploadId, videoId }) => account === this.account && uploadId && videoId,
    )
    return earlier[Math.floor(earlier.length * this.#drawn('earlier'))]?.videoId
  }

  get #path(): string {
    return `/v1/videos/${this.videoId ?? ''}`
  }

  get #token(): string {
    return this.name.replace(' ', '-')
  }

  /** Whether two programs of the customer make a video from the same upload, which only one of them may get. */
  get #hasRival(): boolean {
    return this.uploadId !== undefined && this.#drawn('rival') < 0.3
  }

  /** Whether another program of the customer deletes the upload while the video is made from it. */
  get #takesBack(): boolean {
    return this.uploadId !== undefined && this.#drawn('takes back') < 0.15
  }

  async #takeBack(): Promise<void> {
    await this.#world.loop.pause(120 * this.#drawn('taken back'))
    await this.#ask('DELETE', `/v1/uploads/${this.uploadId ?? ''}`)
  }

  async #sendFile(): Promise<boolean> {
    const parts = { world: this.#world, exchange: this.#exchange }
    this.uploadId = await new DirectUpload(parts, { name: this.name, key: this.account.key }).send()
    return this.uploadId !== undefined
  }

  async #create(idempotencyKey = this.#token, isOwn = true): Promise<boolean> {
    const { path, body, asked } = this.#wish(isOwn ? this.name : `${this.name} for the rival`)
    if (isOwn) this.#asked = asked
    for (let tries = 0; tries < 100; tries++) {
      const answer = await this.#ask('POST', path, body, idempotencyKey)
      if (answer?.status === 202) {
        if (isOwn) this.#note(answer.text)
        return true
      }
      if (isOwn && answer?.status === 402 && this.accepted !== undefined)
        this.#world.break(`${this.name}: an answer that was given before was refused for a budget`)
      // The file of the other video has gone.
      if (this.#sourceVideoId !== undefined && answer && [404, 409].includes(answer.status)) {
        if (/no longer kept|there is no video/.test(answer.text)) return false
      }
      if (this.#takesBack && answer?.status === 404) return false
      if (this.#hasRival && answer?.text.includes('was already used by video')) return false
      if (answer && answer.status < 500 && ![402, 409, 429].includes(answer.status)) {
        this.refused = answer.status
        this.#world.break(`${this.name}: a create was answered ${answer.status} ${answer.text}`)
        return false
      }
      await this.#world.loop.pause(
        1_000 * 2 ** Math.min(tries, 6) * (0.5 + this.#drawn(`${tries}`)),
      )
    }
    this.#world.break(`${this.name}: a create was never answered`)
    return false
  }

  #wish(videoName: string) {
    const { endpoint, hook: own, storage } = this.account
    const drawn = (what: string): number => this.#drawn(what)
    if ('fileUrl' in this.#source() && drawn('form') < 0.08) return formFor(drawn, videoName)
    const hook = drawn('at the endpoint') < 0.3 ? (endpoint ?? own) : own
    const plan = this.#plan
    return wishFor(drawn, { videoName, source: this.#source(), hook, storage, plan })
  }

  #source() {
    const { uploadId } = this
    const sourceVideoId = this.#sourceVideoId
    if (sourceVideoId !== undefined) return { sourceVideoId }
    if (uploadId !== undefined) return { uploadId }
    // A film that several orders of an account share.
    const film = this.#drawn('shares') < 0.3 ? `film-of-${this.account.storage}` : this.#token
    const isOwn = this.#drawn('bucket') < 0.1
    const from = isOwn ? `storage://${this.account.storage}` : 'https://sources.example.com'
    return { fileUrl: `${from}/${film}.mp4` }
  }

  #note(text: string): void {
    const { videoId, jobId } = JSON.parse(text) as { videoId: string; jobId: string }
    if (this.accepted !== undefined && this.accepted !== text) {
      this.#world.break(`${this.name}: one Idempotency-Key got two answers`)
    }
    this.accepted = text
    this.videoId = videoId
    this.jobId = jobId
    this.#world.history.note(this.name, `has ${videoId}, job ${jobId}`)
  }

  /** Sends the create again, as a client does that has lost its state. */
  async #repeatLater(): Promise<void> {
    await this.#world.loop.pause(3_600_000 * this.#drawn('repeat') ** 3)
    await this.#create()
  }

  /** Asks far too often, as a loop without a pause does. */
  async #hurry(): Promise<void> {
    for (let asked = 0; asked < hurried; asked++) {
      await this.#ask('GET', this.#path)
      await this.#world.loop.pause(4_000 * this.#drawn(`hurry ${asked}`))
    }
  }

  async #follow(): Promise<void> {
    const parts = { world: this.#world, exchange: this.#exchange }
    const [{ key }, path] = [this.account, `${this.#path}/events`]
    this.#follower = new Follower(parts, { name: this.name, key, path })
    this.last = await this.#follower.follow()
    if (!this.last) this.#lost()
  }

  async #untilEnd(): Promise<void> {
    let lastPercent = 0
    for (let polls = 0; polls < 4_000; polls++) {
      await this.#world.loop.pause(this.#pauseMs(polls))
      const answer = await this.#ask('GET', this.#path)
      if (answer?.status === 404) return this.#lost()
      if (answer?.status !== 200) continue
      this.last = JSON.parse(answer.text) as Record<string, unknown>
      const { status, progressPercent, queuePosition } = this.last
      if (typeof queuePosition === 'number') {
        this.#line.told(this.videoId ?? '', queuePosition)
      }
      const percent = Number(progressPercent)
      const { faults } = this.#world
      if (percent < lastPercent && status === 'running' && isAnswering(this.#world)) {
        this.#world.break(`${this.name}: the progress fell from ${lastPercent} to ${percent}`)
      }
      lastPercent = percent
      if (status !== 'succeeded' && status !== 'failed' && status !== 'canceled') continue
      const mayLack = faults.lastOf('upload lost', 'upload torn') > this.#begunAt
      const strange = strangeIn(this.#asked, this.last, mayLack)
      if (strange.length > 0)
        this.#world.break(`${this.name}: ${strange.join()} is not what was asked for`)
      return
    }
  }

  /** Polls often at first; a customer who trusts webhooks polls only now and then. */
  #pauseMs(polls: number): number {
    if (this.#plan === 'trusts') return 300_000
    return polls < 20 ? 4_000 + 16_000 * this.#drawn('pace') : 180_000
  }

  #lost(): void {
    this.#world.break(`${this.name}: the accepted video ${this.videoId ?? ''} is not found`)
  }

  /** Reads the record once more, long after the end. */
  async readAgain(): Promise<void> {
    if (this.videoId === undefined) return
    const answer = await this.#askPatiently()
    if (this.wasDeleted) {
      if (answer?.status !== 404) this.#world.break(`${this.name}: the deleted video is still read`)
      return
    }
    if (answer?.status !== 200) return this.#lost()
    if (this.last === undefined) return
    const read = JSON.parse(answer.text) as Record<string, unknown>
    this.#early.judge(read)
    this.#names.judge(read)
    const [then, now] = [settledOf(this.last), settledOf(read)]
    for (const field of Object.keys({ ...then, ...now })) {
      const [one, other] = [then[field], now[field]].map((value) => JSON.stringify(value))
      if (one !== other && !(goes.has(field) && other === undefined))
        this.#world.break(`${this.name}: ${field} was ${one}, and is read as ${other}`)
    }
  }

  /** Repeats the request until it is within the limits of an account that may ask only a few times a minute. */
  async #askPatiently(): Promise<Answer | undefined> {
    for (let tries = 0; ; tries++) {
      const answer = await this.#ask('GET', this.#path)
      if (answer?.status !== 429 || tries === 20) return answer
      await this.#world.loop.pause(60_000 * this.#drawn(`read ${tries}`))
    }
  }

  /** Cancels it at once, whatever else its customer does. */
  async cancelNow(): Promise<void> {
    if (!this.isOver && !this.wasCanceled) await this.#cancel()
  }

  async rename(): Promise<Answer | undefined> {
    const change = { videoName: newName, metadata: newNotesOf(this.name) }
    return this.#ask('PATCH', this.#path, change)
  }

  /** Whether it was made from the same film as another order of its account. */
  hasSameFilm(other: Order): boolean {
    const { fileUrl = '' } = this.#asked
    const isSame = fileUrl === other.#asked['fileUrl'] && this.account === other.account
    return isSame && this.last?.['status'] === 'succeeded'
  }

  /** Deletes it at once, long after everything else that its customer does. */
  async deleteNow(): Promise<void> {
    if (this.isOver && !this.wasDeleted) await this.#deleteOnceOrTwice(0)
  }

  /** Some customers send the deletion twice at once. */
  async #deleteOnceOrTwice(withinMs?: number): Promise<void> {
    if (this.#drawn('deletes twice') < 0.4) void this.#delete(withinMs)
    await this.#delete(withinMs)
  }

  async #cancel(): Promise<void> {
    for (let tries = 0; tries < 30; tries++) {
      const answer = await this.#ask('POST', `${this.#path}/cancel`, {})
      if (answer?.status === 200) {
        this.wasCanceled = true
        return
      }
      if (answer && /already (queued|running)/.test(answer.text))
        this.#world.break(`${this.name}: a cancel was refused, and the video has not ended`)
      if (answer && answer.status < 500 && answer.status !== 429) return
      await this.#world.loop.pause(5_000 + 20_000 * this.#drawn(`cancel ${tries}`))
    }
  }

  /** Deletes the video once its customer has everything that was asked for. */
  async #erase(): Promise<void> {
    await erase({
      ...{ world: this.#world, videoId: this.videoId ?? '' },
      linksExpireAt: this.last?.['linksExpireAt'],
      ask: async (...asked) => this.#ask(...asked),
      redelivering: (deliveryId) => this.#files.redelivering(deliveryId),
      deletes: async () => this.#delete(0),
    })
  }

  async #redeliver(): Promise<void> {
    this.redelivered = await redeliver({
      ...{ world: this.#world, videoId: this.videoId ?? '' },
      drawn: (what) => this.#drawn(what),
      ask: async (...asked) => this.#ask(...asked),
      redelivering: (deliveryId) => this.#files.redelivering(deliveryId),
    })
  }

  async #delete(withinMs = 600_000): Promise<void> {
    await this.#world.loop.pause(withinMs * this.#drawn('delete') ** 2)
    this.#files.deleting(this.videoId ?? '')
    for (let tries = 0; tries < 60; tries++) {
      const answer = await this.#ask('DELETE', this.#path)
      if (answer && answer.status < 300) {
        this.wasDeleted = true
        this.#files.deleted(this.videoId ?? '', this.#names.isAsking)
        return
      }
      // A request whose answer was lost may have deleted it.
      if (answer?.status === 404) {
        this.wasDeleted = true
        return
      }
      if (answer && answer.status < 500 && answer.status !== 429) {
        this.#world.break(`${this.name}: a delete was answered ${answer.status}`)
        return
      }
      await this.#world.loop.pause(10_000 + 60_000 * this.#drawn(`delete ${tries}`))
    }
  }

  #drawn(what: string): number {
    return this.#world.draw(`${this.name} ${what}`)
  }

  async #ask(method: string, path: string, body?: unknown, idempotencyKey?: string) {
    const { key } = this.account
    return this.#exchange.ask({ who: this.name, method, path, body, key, idempotencyKey })
  }
}
