import { forgetDone } from './page/forget-done.ts'
import { fillSpeech } from './video/fill-speech.ts'
import { followClips } from './video/follow-clips.ts'
import { followFrames } from './video/follow-frames.ts'
import { followScrubber } from './video/follow-scrubber.ts'
import { followSpeech } from './video/follow-speech.ts'
import { followTimeline } from './video/follow-timeline.ts'
import { searchSpeech } from './video/search-speech.ts'
import { nameSpeakers } from './video/name-speakers.ts'
import { followVideo } from './video/follow-video.ts'

forgetDone()
askAboutVideo()
fillSpeech()
followSpeech()
nameSpeakers()
searchSpeech()
followClips()
followFrames()
followTimeline()
followScrubber()
followVideo()

/** Fills in what the dialogs ask about. */
function askAboutVideo(): void {
  const name = document.querySelector<HTMLElement>('[data-video]')?.dataset['name'] ?? ''
  for (const dialog of document.querySelectorAll('#ask-cancel, #ask-delete')) {
    dialog.addEventListener('opening', () => {
      const place = dialog.querySelector('[data-names]')
      if (place) place.textContent = name
    })
  }
}
