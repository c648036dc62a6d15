import type { JoinedClips, SoundRequest } from '../../../../containers/sound/sound-request.ts'
import { SpeechThread } from '../../../../containers/speech/local/speech-thread-client.ts'
import { createVoiceDetector } from '../../../../containers/speech/local-voice-detector.ts'

/** One thread for a test file; it keeps nobody waiting when there is nothing to hear. */
const speechThread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 300_000 })

/** What the preparation of a sound needs beside joined clips and options. */
type SoundHearing = Omit<SoundRequest, keyof JoinedClips | 'options'>

export const soundHearing: SoundHearing = {
  voices: createVoiceDetector(speechThread),
  isTranscribed: false,
  onProgress: () => undefined,
  onFault: (error) => {
    throw error
  },
}
