import { formatVideoEvent, reconnectMs } from '../contract/video/video-event.ts'
import type { VideoRecord } from '../contract/video/video-record.ts'
import { isTerminal } from '../contract/video/video-state.ts'
import { describeVideo, type LinkMaker, type ShownPlace } from '../service/videos/describe-video.ts'
import { withLive } from '../service/jobs/live-progress.ts'
import { describeError, log } from '../service/log.ts'
import type { ShownVideo } from '../store/tables/tables.ts'
import { takeStreamPlace, type StreamPlace } from './open-streams.ts'
import { liveOf, type RunState } from './job/job-memory.ts'

type LiveEventsOptions = {
  /** The row as it stands in D1. */
  read: (jobId: string) => Promise<ShownVideo | undefined>
  /** The state that the runner remembers; reading it asks no other object. */
  state: () => RunState | undefined
  links: () => LinkMaker
  /** Where the job stands in line, while it does. */
  place?: (jobId: string) => Promise<ShownPlace | undefined>
  commentMs?: number
}

/** The answer to a client that wants to follow a job: its events, or which of the two has too many followers already. */
export type Following = ReadableStream<Uint8Array> | 'the video' | 'the account'

/** How many clients may follow one job; each of them holds a connection open. */
const mostFollowers = 100
/**
 * A record may be a megabyte long, and an object has 128 MB. Above this, clients that do not read are sent nothing
 * more.
 */
const mostUnreadBytes = 16_777_216
const usualCommentMs = 15_000
/** A client that has read nothing during this many comments is treated as gone. */
const patienceComments = 4

/**
 * The clients that follow one job live. Like every other reader, they are sent the row with the progress that the runner
 * remembers, so no later read shows less than an event did. The runner's memory also tells when the row has changed.
 */
export class LiveEvents {
  readonly #options: LiveEventsOptions
  readonly #streams = new Map<EventStream, StreamPlace>()
  #jobId = ''
  #row: ShownVideo | undefined
  /** The key of the runner's memory when the row was read. Empty if the row may have changed unnoticed. */
  #rowKey = ''
  /** The last record that was sent, without its times. */
  #said = ''
  /** When, in seconds, the last record said that the video will be done. */
  #saidEndsAt = 0
  #timer: ReturnType<typeof setInterval> | null = null
  #last: Promise<void> = Promise.resolve()

  constructor(options: LiveEventsOptions) {
    this.#options = options
  }

  get followers(): number {
    return this.#streams.size
  }

  /** A stream that begins with the current record, or the name of what has too many followers already. */
  follow(jobId: string, accountId: string): Following {
    if (this.#streams.size >= mostFollowers) return 'the video'
    const place = takeStreamPlace(accountId, Date.now())
    if (!place) return 'the account'
    this.#jobId = jobId
    const stream = new EventStream((gone) => this.#drop(gone))
    // The stream is added before the row is read, so that it does not miss an end that comes meanwhile.
    this.#streams.set(stream, place)
    stream.send(`retry: ${reconnectMs}\n\n`)
    this.#timer ??= setInterval(() => this.#comment(), this.#options.commentMs ?? usualCommentMs)
    this.#inTurn(async () => this.#publish(stream))
    return stream.readable
  }

  /** Call this when something has happened to the job. It costs nothing while nobody follows. */
  tell(): void {
    if (this.#streams.size > 0) this.#inTurn(async () => this.#publish(undefined))
  }

  /** Call this when another writer has changed the row, as with a new name. */
  readAgain(): void {
    if (this.#streams.size === 0) return
    this.#inTurn(async () => {
      this.#rowKey = ''
      await this.#publish(undefined)
    })
  }

  async #publish(newcomer: EventStream | undefined): Promise<void> {
    if (this.#streams.size === 0) return
    const state = this.#options.state()
    const key = keyOf(state)
    if (newcomer || !this.#row || key !== this.#rowKey) {
      if (!(await this.#read(key, newcomer))) return
    }
    // The video was deleted, so it had ended. A client that reconnects gets a 404.
    if (!this.#row) return this.#end('')
    const shown = this.#row.status === 'running' ? withLive(this.#row, liveOf(state)) : this.#row
    const isQueued = shown.status === 'queued'
    const place = isQueued ? await this.#options.place?.(this.#jobId) : undefined
    // A job that has left the line may have ended in a statement whose answer was lost.
    if (isQueued && !place) this.#rowKey = ''
    const readAt = { now: Date.now(), place }
    const record = await describeVideo(shown, this.#options.links(), readAt)
    if (isTerminal(record.status)) this.#end(formatVideoEvent('end', record))
    else this.#say(record, newcomer)
  }

  /** If the row cannot be read, earlier followers wait for the next try; a newcomer is disconnected and connects again. */
  async #read(key: string, newcomer: EventStream | undefined): Promise<boolean> {
    try {
      this.#row = await this.#options.read(this.#jobId)
      this.#rowKey = key
      return true
    } catch (error) {
      if (!this.#row) throw error
      log('warn', 'a video that is followed could not be read again', describeError(error))
      this.#rowKey = ''
      newcomer?.end('')
      if (newcomer) this.#drop(newcomer)
      return false
    }
  }

  #say(record: VideoRecord, newcomer: EventStream | undefined): void {
    const said = JSON.stringify({ ...record, ...withoutTime })
    const endsAt = Date.now() / 1000 + (record.secondsLeft ?? 0)
    const isNews = said !== this.#said || hasMoved(this.#saidEndsAt, endsAt, record.secondsLeft)
    if (isNews) this.#saidEndsAt = endsAt
    this.#said = said
    const text = formatVideoEvent('progress', record)
    for (const stream of this.#streams.keys()) {
      if (isNews || stream === newcomer || stream.blocked > 0) {
        stream.send(text, this.#hasRoomFor(text))
      }
    }
  }

  /**
   * A client whose last event finds no room is disconnected without it. It connects again and gets the end from the
   * row.
   */
  #end(text: string): void {
    for (const stream of [...this.#streams.keys()]) {
      stream.end(this.#hasRoomFor(text) ? text : '')
      this.#drop(stream)
    }
  }

  #hasRoomFor(text: string): boolean {
    const unread = [...this.#streams.keys()].reduce((sum, stream) => sum + stream.unread, 0)
    return unread + 3 * text.length <= mostUnreadBytes
  }

  #comment(): void {
    // A job is not told when the line moves, so its place is read with each comment.
    if (this.#row?.status === 'queued' || this.#rowKey === '') this.tell()
    for (const [stream, place] of [...this.#streams]) {
      place.stay(Date.now())
      stream.send(': still here\n\n')
      if (stream.blocked < patienceComments) continue
      stream.end('')
      this.#drop(stream)
    }
  }

  #drop(stream: EventStream): void {
    this.#streams.get(stream)?.leave()
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    clearInterval(this.#timer)
    this.#timer = null
    this.#row = undefined
    this.#said = ''
  }

  /** Does one piece of work after another. If it fails, the connections end; the clients connect again and get a clear answer. */
  #inTurn(work: () => Promise<void>): void {
    this.#last = this.#last.then(work).catch((error: unknown) => {
      log('warn', 'live events were broken off', describeError(error))
      this.#end('')
    })
  }
}

/** Fields that clients can count on themselves: they change all the time without telling anything new. */
const withoutTime = {
  lastUpdatedAt: undefined,
  estimatedStartAt: undefined,
  secondsElapsed: undefined,
  secondsLeft: undefined,
  secondsLeftRange: undefined,
}

/** Whether the expected end has moved from the one last sent by more than a tenth of the time until then. */
function hasMoved(saidEndsAt: number, endsAt: number, secondsLeft: number | undefined): boolean {
  if (secondsLeft === undefined) return false
  return Math.abs(endsAt - saidEndsAt) > Math.max(2, secondsLeft / 10)
}

/** Changes whenever the row does: with the attempt, its phase, and the end. */
function keyOf(state: RunState | undefined): string {
  const { running, endedAt } = state ?? {}
  return [endedAt, running?.fence, running?.saves, running?.savedPercent].join()
}

const encoder = new TextEncoder()

/** A client that has this many unread bytes gets no further events until it has read them. */
const unreadBytes = 65_536

/** One client that follows a video. It is sent nothing while it does not read, except the last event. */
class EventStream {
  readonly readable: ReadableStream<Uint8Array>
  #controller: ReadableByteStreamController | undefined
  #blocked = 0

  constructor(onGone: (stream: EventStream) => void) {
    this.readable = new ReadableStream(
      {
        type: 'bytes',
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => {
          this.#controller = undefined
          onGone(this)
        },
      },
      { highWaterMark: unreadBytes },
    )
  }

  /** How many sends in a row were skipped. */
  get blocked(): number {
    return this.#blocked
  }

  /** Bytes that were sent but not read yet. */
  get unread(): number {
    return unreadBytes - (this.#controller?.desiredSize ?? unreadBytes)
  }

  /** Sends nothing and returns false if the client has not read what it was sent before, or if `hasRoom` is false. */
  send(text: string, hasRoom = true): boolean {
    if (!hasRoom || (this.#controller?.desiredSize ?? 0) <= 0) {
      this.#blocked++
      return false
    }
    this.#blocked = 0
    this.#controller?.enqueue(encoder.encode(text))
    return true
  }

  end(text: string): void {
    if (text !== '') this.#controller?.enqueue(encoder.encode(text))
    this.#controller?.close()
    this.#controller = undefined
  }
}
