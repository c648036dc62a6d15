import { forgetDone } from './page/refresh.ts'
import { fillSpeech } from './video/fill-speech.ts'
import { followFrames } from './video/follow-frames.ts'
import { followScrubber } from './video/follow-scrubber.ts'
import { followSpeech } from './video/follow-speech.ts'
import { followTimeline } from './video/follow-timeline.ts'
import { searchSpeech } from './video/search-speech.ts'
import { nameSpeakers } from './video/name-speakers.ts'
import { keepInSight } from './video/player.ts'
import { followVideo } from './video/follow-video.ts'
import { write } from './page/write.ts'

forgetDone()
askAboutVideo()
fillSpeech()
followSpeech()
nameSpeakers()
searchSpeech()
followClips()
keepInSight()
followFrames()
followTimeline()
followScrubber()
followVideo()

/** Fills in the dialogs' questions. */
function askAboutVideo(): void {
  const name = document.querySelector<HTMLElement>('[data-video]')?.dataset['name'] ?? ''
  for (const dialog of document.querySelectorAll('#ask-cancel, #ask-delete')) {
    dialog.addEventListener('opening', () => write('[data-names]', name, dialog))
  }
}

/** Plays only the stretch of a suggested clip, and one film of the page at a time. */
function followClips(): void {
  // These events do not bubble, so they are caught in the capture phase.
  document.addEventListener('play', ({ target }) => begin(target), true)
  document.addEventListener('timeupdate', ({ target }) => end(target), true)
}

function begin(target: EventTarget | null): void {
  if (!(target instanceof HTMLVideoElement)) return
  for (const other of document.querySelectorAll('video')) if (other !== target) other.pause()
  const [from, to] = stretchOf(target) ?? []
  if (from === undefined || to === undefined) return
  const isInside = target.currentTime >= from - 0.1 && target.currentTime < to - 0.1
  if (!isInside) target.currentTime = from
}

function end(target: EventTarget | null): void {
  if (!(target instanceof HTMLVideoElement)) return
  const [, to] = stretchOf(target) ?? []
  if (to !== undefined && target.currentTime >= to) target.pause()
}

function stretchOf({ dataset }: HTMLVideoElement): number[] | undefined {
  return dataset['clip']?.split(',').map(Number)
}
