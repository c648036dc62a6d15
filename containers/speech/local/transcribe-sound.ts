import { makeSegments } from '../make-segments.ts'
import type { SpeechSegment } from '../../timeline/speech.ts'
import { blockLength, detectActivity, piecesOfSound } from './detect-activity.ts'
import { decodeWindow, longestWindow, piecesOf } from './decode-window.ts'
import { findSpeech, type ActivitySettings } from './find-speech.ts'
import { judgeLanguage, type HeardPiece } from './judge-language.ts'
import type { LanguageJudgement } from './language-score.ts'
import { makeWindows, type WindowSettings } from './make-windows.ts'
import { makeWords } from './make-words.ts'
import { sampleRate, type Sound } from './sound-file.ts'
import type { SpeechModels } from './speech-models.ts'
import type { Turns } from './turns.ts'

export type LocalTranscript = {
  readonly segments: readonly SpeechSegment[]
  readonly isEnglish: LanguageJudgement
}

const activitySettings: ActivitySettings = {
  on: 0.4,
  off: 0.25,
  leastPause: 0.3 * sampleRate,
  leastSpeech: 0.25 * sampleRate,
}

/** A pause this short is only a breath between two words. */
const breathSettings: ActivitySettings = {
  ...activitySettings,
  leastPause: 0.06 * sampleRate,
  leastSpeech: 0.06 * sampleRate,
}

const windowSettings: WindowSettings = {
  mergeGap: sampleRate,
  longest: longestWindow,
  padding: 0.2 * sampleRate,
}

export async function transcribeSound(
  models: SpeechModels,
  sound: Sound,
  turns: Turns,
): Promise<LocalTranscript> {
  const { probabilities: activity } = await detectActivity(
    models.activity,
    piecesOfSound(sound),
    turns,
  )
  const speech = findSpeech(activity, blockLength, activitySettings)
  const pieces: HeardPiece[] = []
  for (const window of makeWindows(speech, sound.length, windowSettings)) {
    for await (const piece of piecesOf(sound, window)) {
      const samples = await sound.read(piece.start, piece.end)
      const heard = await turns.take((checkStop) =>
        decodeWindow(models, samples, piece.start, checkStop),
      )
      pieces.push({ ...piece, heard })
    }
  }
  const tokens = pieces.flatMap(({ heard }) => heard.flatMap((part) => part.tokens))
  const spoken = findSpeech(activity, blockLength, breathSettings).map(({ start, end }) => ({
    start: start / sampleRate,
    end: end / sampleRate,
  }))
  return {
    segments: makeSegments(makeWords(tokens, models.vocabulary, spoken), 'en'),
    isEnglish: await judgeLanguage(models, sound, { pieces, turns }),
  }
}
