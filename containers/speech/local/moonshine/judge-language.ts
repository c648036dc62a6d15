import { decodeWindow } from '../decode/decode-window.ts'
import type { PieceText } from '../recogniser.ts'
import { totalSamples } from '../find-speech.ts'
import type { HeardPiece, Recogniser, Recording } from '../recogniser.ts'
import {
  isInDoubt,
  judgeOne,
  judgeAgain,
  meanCertainty,
  type Hearing,
  type LanguageJudgement,
} from './language-score.ts'
import { speechRate } from '../../../sound/speech-sound.ts'
import { textOfTokens, type Vocabulary } from '../vocabulary.ts'

/** This much sound is enough to tell the language. */
const mostSamples = 60 * speechRate

/** People would hardly notice this difference in speed, but to the model it is another sound. */
const oneSpeed = [0.93]
const manySpeeds = [0.93, 1.07, 0.86]
const shortSound = 8 * speechRate

/**
 * Judges whether the speech is English. In case of doubt it recognises the sound again, at other speeds: once, or, if the
 * sound is short and each hearing says little, three times.
 */
export async function judgeLanguage(
  recogniser: Recogniser,
  { sound, turns }: Recording,
  { pieces, vocabulary }: { pieces: readonly HeardPiece[]; vocabulary: Vocabulary },
): Promise<LanguageJudgement> {
  if (isCough(pieces)) return judgeOne({ certainty: 0, text: '' })
  const whole = hearingOf(
    pieces.flatMap(({ heard }) => heard),
    vocabulary,
  )
  if (!isInDoubt(whole.certainty)) return judgeOne(whole)
  const some = spreadOver(pieces)
  const first = hearingOf(
    some.flatMap(({ heard }) => heard),
    vocabulary,
  )
  const again: Hearing[] = []
  for (const speed of totalSamples(some) < shortSound ? manySpeeds : oneSpeed) {
    const heard: PieceText[] = []
    for (const { start, end } of some) {
      const excerpt = { samples: atSpeed(await sound.read(start, end), speed), offset: start }
      heard.push(...(await turns.take((checkStop) => decodeWindow(recogniser, excerpt, checkStop))))
    }
    again.push(hearingOf(heard, vocabulary))
  }
  return judgeAgain(first, again)
}

/** A shorter sound of a voice without any text says nothing about the language. */
const shortestSpeech = 2 * speechRate

function isCough(pieces: readonly HeardPiece[]): boolean {
  const isWritten = pieces.some(({ heard }) => heard.some(({ tokens }) => tokens.length > 0))
  return !isWritten && totalSamples(pieces) < shortestSpeech
}

/** All pieces, or, if there are many, some that spread over the whole length. */
function spreadOver(pieces: readonly HeardPiece[]): HeardPiece[] {
  const step = Math.max(1, Math.ceil(totalSamples(pieces) / mostSamples))
  return pieces.filter((_, i) => i % step === 0)
}

function hearingOf(heard: readonly PieceText[], vocabulary: Vocabulary): Hearing {
  const texts = heard.map(({ tokens }) =>
    textOfTokens(
      vocabulary,
      tokens.map(({ token }) => token),
    ),
  )
  const tokens = heard.reduce((sum, part) => sum + part.tokens.length, 0)
  return { certainty: meanCertainty(heard), text: texts.join(' '), tokens }
}

function atSpeed(samples: Float32Array, speed: number): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / speed) }, (_, i) => {
    const at = i * speed
    const before = Math.floor(at)
    const here = samples[before] ?? 0
    return here + ((samples[before + 1] ?? here) - here) * (at - before)
  })
}
