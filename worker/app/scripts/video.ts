import { forgetDone } from './page/forget-done.ts'
import { askAboutVideo } from './video/ask-about-video.ts'
import { followSpeech } from './video/follow-speech.ts'
import { followTimeline } from './video/follow-timeline.ts'
import { followVideo } from './video/follow-video.ts'

forgetDone()
askAboutVideo()
followSpeech()
followTimeline()
followVideo()
