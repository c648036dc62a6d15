import { z } from 'zod'
import { jsonOf } from '../../../worker/contract/input/parse-input.ts'
import type { KeptWindows } from '../kept-windows.ts'
import { nameBySound } from './name-by-sound.ts'
import type { SpeechStretch } from './find-speech.ts'
import type { NamedSound, Surveyed } from './thread-messages.ts'

/** Start and end of each stretch, one after the other: hours of breaths are tens of thousands of them. */
const ends = z.array(z.int()).refine(({ length }) => length % 2 === 0)
const keptSurvey = z.object({
  length: z.int().min(0),
  language: z.string().exactOptional(),
  breaths: ends,
  pieces: ends,
})

type Sound = NamedSound & { readonly model: string }

/** Looks a sound through for speech, unless an earlier attempt has done it: in hours of sound that takes minutes. */
export async function surveyOnce(
  kept: KeptWindows | undefined,
  sound: Sound,
  survey: () => Promise<Surveyed>,
): Promise<Surveyed> {
  if (!kept) return survey()
  const { soundPath, names, model } = sound
  const name = await nameBySound(soundPath, { survey: 1, names, model })
  const before = (await kept.find([name])).get(name)
  const known = before === undefined ? undefined : readSurvey(before, sound)
  if (known) return known
  const surveyed = await survey()
  await kept.keep(name, writeSurvey(surveyed))
  return surveyed
}

function writeSurvey({ survey, length }: Surveyed): string {
  const { breaths, pieces, language } = survey
  const flat = (all: readonly SpeechStretch[]): number[] =>
    all.flatMap(({ start, end }) => [start, end])
  return JSON.stringify({ length, language, breaths: flat(breaths), pieces: flat(pieces) })
}

/** Undefined if it cannot be read. */
function readSurvey(text: string, { names, model }: Sound): Surveyed | undefined {
  const { success, data } = keptSurvey.safeParse(jsonOf(text))
  if (!success) return undefined
  const { length, language } = data
  const [breaths, pieces] = [stretches(data.breaths), stretches(data.pieces)]
  return { survey: { breaths, pieces, language, names }, length, model }
}

function stretches(flat: readonly number[]): SpeechStretch[] {
  return Array.from({ length: flat.length / 2 }, (_, i) => ({
    start: flat[2 * i] ?? 0,
    end: flat[2 * i + 1] ?? 0,
  }))
}
