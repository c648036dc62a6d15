import { decodeWindow, type Heard } from '../decode-window.ts'
import type { Stretch } from '../find-speech.ts'
import type { HeardPiece, Recogniser, Recording } from '../recogniser.ts'
import {
  isInDoubt,
  judgeOne,
  judgeTwo,
  meanCertainty,
  type Hearing,
  type LanguageJudgement,
} from './language-score.ts'
import { sampleRate } from '../sound-file.ts'
import { textOf, type Vocabulary } from '../vocabulary.ts'

/** This much sound is enough to tell the language. */
const mostSamples = 60 * sampleRate

/** Judges whether the speech is English; in case of doubt it recognises the sound a second time. */
export async function judgeLanguage(
  recogniser: Recogniser,
  { sound, turns }: Recording,
  { pieces, vocabulary }: { pieces: readonly HeardPiece[]; vocabulary: Vocabulary },
): Promise<LanguageJudgement> {
  if (isCough(pieces)) return judgeOne(0)
  const certainty = meanCertainty(pieces.flatMap(({ heard }) => heard))
  if (!isInDoubt(certainty)) return judgeOne(certainty)
  const some = spreadOver(pieces)
  const again: Heard[] = []
  for (const { start, end } of some) {
    const samples = slower(await sound.read(start, end))
    again.push(
      ...(await turns.take((checkStop) =>
        decodeWindow(recogniser, { samples, offset: start }, checkStop),
      )),
    )
  }
  const first = hearingOf(
    some.flatMap(({ heard }) => heard),
    vocabulary,
  )
  return judgeTwo(first, hearingOf(again, vocabulary))
}

/** A shorter sound of a voice without any text says nothing about the language. */
const shortestSpeech = 2 * sampleRate

function isCough(pieces: readonly HeardPiece[]): boolean {
  const isWritten = pieces.some(({ heard }) => heard.some(({ tokens }) => tokens.length > 0))
  return !isWritten && samplesIn(pieces) < shortestSpeech
}

function samplesIn(pieces: readonly Stretch[]): number {
  return pieces.reduce((sum, { start, end }) => sum + end - start, 0)
}

/** All pieces, or, if there are many, some that spread over the whole length. */
function spreadOver(pieces: readonly HeardPiece[]): HeardPiece[] {
  const step = Math.max(1, Math.ceil(samplesIn(pieces) / mostSamples))
  return pieces.filter((_, i) => i % step === 0)
}

function hearingOf(heard: readonly Heard[], vocabulary: Vocabulary): Hearing {
  const texts = heard.map(({ tokens }) =>
    textOf(
      vocabulary,
      tokens.map(({ token }) => token),
    ),
  )
  const tokens = heard.reduce((sum, part) => sum + part.tokens.length, 0)
  return { certainty: meanCertainty(heard), text: texts.join(' '), tokens }
}

/** Nobody would notice this difference, but for the model it is another sound. */
const slowness = 0.93

function slower(samples: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / slowness) }, (_, i) => {
    const at = i * slowness
    const before = Math.floor(at)
    const here = samples[before] ?? 0
    return here + ((samples[before + 1] ?? here) - here) * (at - before)
  })
}
