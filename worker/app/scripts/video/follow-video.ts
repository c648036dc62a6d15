import { leftAfter, sayLeft } from '../../../contract/video/say-left.ts'
import type { VideoRecord } from '../../../contract/video/video-record.ts'
import { announce } from '../page/call-api.ts'
import { pollWhileVisible, noteAnswer } from '../page/poll-while-visible.ts'
import { refresh, refreshOnce } from '../page/refresh.ts'
import { write } from '../page/write.ts'
import { endWords } from '../../videos/phase-words.ts'

/** How often the page polls if events do not reach it. */
const pollMs = 3000

/** Shows the progress of a video while it is being made, and the result once it has ended. */
export function followVideo(): void {
  const page = document.querySelector<HTMLElement>('[data-follow]')
  const videoId = page?.dataset['video']
  if (page && videoId !== undefined) listen(page, `/app/api/videos/${videoId}/events`)
}

function listen(page: HTMLElement, address: string): void {
  const events = new EventSource(address)
  let former = ''
  const hear = (event: Event): VideoRecord => {
    const record = JSON.parse((event as MessageEvent<string>).data) as VideoRecord
    noteAnswer(true)
    return record
  }
  events.addEventListener('progress', (event) => {
    const record = hear(event)
    const step = [
      record.status,
      record.phase,
      record.transcript?.status,
      record.analysis?.status,
    ].join()
    showProgress(record)
    if (former !== '' && step !== former) void refreshOnce()
    former = step
  })
  events.addEventListener('end', (event) => {
    events.close()
    delete page.dataset['follow']
    const ended = endWords[hear(event).status]
    if (ended !== undefined) announce(`The video ${ended}.`)
    void refreshOnce()
  })
  events.addEventListener('error', () => {
    // A browser reconnects by itself, unless the answer was not a stream of events.
    if (events.readyState === EventSource.CLOSED) pollInstead(page)
    else noteAnswer(false)
  })
  const counting = setInterval(countDown, 1000)
  addEventListener('pagehide', () => {
    events.close()
    clearInterval(counting)
  })
}

function pollInstead(page: HTMLElement): void {
  pollWhileVisible({
    ask: refresh,
    nextMs: () => ('follow' in page.dataset ? pollMs : undefined),
  })
}

/** Progress is announced at every tenth only, because screen readers read all of it. */
let saidTenth = -1

/** The record in the last event, and when it came. */
let heard: { record: VideoRecord; atMs: number } | undefined

/** Counts the remaining time down: events give it only when it differs from what was expected. */
function countDown(): void {
  if (!heard) return
  const left = leftAfter(heard.record, (performance.now() - heard.atMs) / 1000)
  write('[data-left]', sayLeft(left) ?? '')
}

function showProgress(record: VideoRecord): void {
  const { progressPercent, phase } = record
  heard = { record, atMs: performance.now() }
  countDown()
  write('[data-percent]', `${progressPercent} %`)
  const bar = document.querySelector<HTMLProgressElement>('.stage progress')
  if (bar) bar.value = progressPercent
  const tenth = Math.floor(progressPercent / 10)
  if (tenth !== saidTenth && phase !== undefined) announce(`${progressPercent} percent, ${phase}`)
  saidTenth = tenth
}
