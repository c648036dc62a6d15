import type { Listening, VoiceActivity, VoiceDetector } from '../sound/pauses/voice-activity.ts'
import { ThreadDied } from '../models/model-thread.ts'
import type { SpeechThread } from './local/speech-thread-client.ts'

/** Detects voices in this process, even if a remote provider turns speech into text. */
export function createVoiceDetector(thread: SpeechThread): VoiceDetector {
  return { listen: (file, signal) => listen(thread, file, signal) }
}

function listen(thread: SpeechThread, file: string, outer: AbortSignal): Listening {
  const stopping = new AbortController()
  const signal = AbortSignal.any([outer, stopping.signal])
  let asked = thread.listen(file, signal)
  // `finish` reports the error.
  asked.answer.catch(() => undefined)
  const finish = async (): Promise<VoiceActivity> => {
    asked.grown(true)
    return asked.answer
  }
  return {
    grown: () => asked.grown(false),
    async finish() {
      try {
        return await finish()
      } catch (error) {
        // The sound of another job may have ended the thread.
        if (!(error instanceof ThreadDied)) throw error
        asked = thread.listen(file, signal)
        return await finish()
      }
    },
    async stop() {
      stopping.abort()
      await Promise.allSettled([asked.answer])
    },
  }
}
