import { z } from 'zod'
import { jsonOf } from '../../../../worker/contract/input/parse-input.ts'
import type { KeptWindows } from '../../kept-windows.ts'
import { nameBySound } from '../name-by-sound.ts'
import type { SpeechWork } from '../thread-messages.ts'

const keptVoices = z.object({ groups: z.array(z.int().min(0)), certain: z.boolean() })

type Voices = SpeechWork['voices']

/** Tells voices apart, unless an earlier attempt has done so: in hours of speech that takes minutes. */
export async function voicesOnce(
  kept: KeptWindows | undefined,
  { soundPath, stretches, count }: Voices['question'],
  tell: () => Promise<Voices['answer']>,
): Promise<Voices['answer']> {
  if (!kept) return tell()
  const name = await nameBySound(soundPath, { voices: 2, stretches, count })
  const before = (await kept.find([name])).get(name)
  const known = before === undefined ? undefined : keptVoices.safeParse(jsonOf(before)).data
  if (known?.groups.length === stretches.length) return known
  const told = await tell()
  await kept.keep(name, JSON.stringify(told))
  return told
}
