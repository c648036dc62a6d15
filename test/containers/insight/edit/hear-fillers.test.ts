import { describe, expect, onTestFinished } from 'vitest'
import { vowels } from '../../../support/containers/sound/hesitation.ts'
import { cutFillers } from '../../../support/containers/sound/cut-fillers.ts'
import { makeTalk } from '../../../support/containers/sound/filler-talk.ts'
import { createLocalSpeech } from '../../../../containers/speech/local-speech.ts'
import { createVoiceDetector } from '../../../../containers/speech/local-voice-detector.ts'
import { SpeechThread } from '../../../../containers/speech/local/speech-thread-client.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { campaign } from '../../../support/node/campaign.ts'

describe('hearFillers', () => {
  campaign(
    'cuts held vowels between pauses, whether the recogniser writes them or not, and leaves the word between them',
    async () => {
      const thread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 300_000 })
      onTestFinished(() => thread.close())
      const ears = {
        tools: await aToolContext(),
        speech: createLocalSpeech(thread, { languageFloor: -9, timeoutSeconds: 300 }),
        voices: createVoiceDetector(thread),
      }
      const talk = await makeTalk('rms', [
        { hold: { vowel: vowels.uh, pitch: 0.9, seconds: 0.3 } },
        { say: 'but' },
        { hold: { vowel: vowels.uh, pitch: 0.9, seconds: 0.55, closed: 0.6, fall: 2.5 } },
      ])
      const cuts = await cutFillers(ears, talk.samples)
      const [uh, , um] = talk.labels
      expect(cuts.map(({ why }) => why)).toEqual(['filler', 'filler'])
      for (const [i, label] of [uh, um].entries()) {
        // A cut begins and ends in the pauses, which are at least 0.15 s long.
        expect(cuts[i]?.from).toBeLessThan((label?.from ?? 0) + 0.02)
        expect(cuts[i]?.from).toBeGreaterThan((label?.from ?? 0) - 0.15)
        expect(cuts[i]?.to).toBeGreaterThan((label?.to ?? 0) - 0.06)
        expect(cuts[i]?.to).toBeLessThan((label?.to ?? 0) + 0.15)
      }
    },
  )
})
