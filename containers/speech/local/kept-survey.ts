import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { jsonOf } from '../../../worker/contract/input/parse-input.ts'
import type { KeptWindows } from '../kept-windows.ts'
import { blockLength, rangeLength } from './detect-activity.ts'
import type { SpeechStretch } from './find-speech.ts'
import { nameBySound } from './name-by-sound.ts'
import type { SpeechThread } from './speech-thread-client.ts'
import type { NamedSound } from './thread-messages.ts'
import { joinSpoken, type Spoken, type Survey } from './transcribe-sound.ts'
import { inGroups } from '../../../worker/contract/in-groups.ts'

/** The length of a range: about ten minutes of sound, in samples and in blocks of up to half a minute, which take a few seconds. */
const usualRanges = { length: rangeLength, blocks: 20 }

type Thread = Pick<SpeechThread, 'activity' | 'blocks' | 'spoken' | 'divide'>
type SurveyOptions = {
  readonly kept: KeptWindows | undefined
  readonly signal: AbortSignal
  readonly onShare?: ((share: number) => void) | undefined
  readonly ranges?: typeof usualRanges
}

/**
 * Searches a sound for speech, range by range: in hours of sound that takes minutes. Each range is kept, so that the next
 * attempt continues where this one stopped.
 */
export async function surveyInRanges(
  thread: Thread,
  { soundPath, names, model }: NamedSound & { readonly model: string },
  { kept, signal, onShare = () => undefined, ranges: most = usualRanges }: SurveyOptions,
): Promise<{ readonly survey: Survey; readonly length: number }> {
  const samples = Math.floor((await stat(soundPath)).size / Float32Array.BYTES_PER_ELEMENT)
  const places =
    kept && new SurveyPlaces(kept, await nameBySound(soundPath, { survey: 4, names, model }))
  const count = Math.ceil(samples / most.length)
  const before = await places?.find('activity', count)
  const ranges: Float32Array[] = []
  for (let i = 0; i < count; i++) {
    const [start, end] = [i * most.length, Math.min(samples, (i + 1) * most.length)]
    const known = readActivity(before?.get(i), Math.ceil((end - start) / blockLength))
    const heard = known ?? (await thread.activity({ soundPath, start, end }, signal))
    if (!known) await places?.keep('activity', i, writeActivity(heard))
    ranges.push(heard)
    // The detector listens to nearly all of it twice.
    onShare((i + 1) / count / 2)
  }
  const probabilities = Float32Array.from(ranges.flatMap((range) => [...range]))
  const blocks = await thread.blocks({ soundPath, probabilities }, signal)
  const inRanges = inGroups(blocks, most.blocks)
  const { speech, breaths } = await spokenIn(inRanges, places, async (some, i) => {
    const found = await thread.spoken({ soundPath, blocks: some }, signal)
    onShare((1 + (i + 1) / inRanges.length) / 2)
    return found
  })
  const divided = await thread.divide({ soundPath, names, speech }, signal)
  return { survey: { ...divided, breaths, names }, length: samples }
}

async function spokenIn(
  ranges: readonly (readonly SpeechStretch[])[],
  places: SurveyPlaces | undefined,
  listen: (blocks: readonly SpeechStretch[], n: number) => Promise<Spoken>,
): Promise<Spoken> {
  const before = await places?.find('spoken', ranges.length)
  const all: Spoken[] = []
  for (const [i, blocks] of ranges.entries()) {
    const known = readSpoken(before?.get(i))
    const found = known ?? (await listen(blocks, i))
    if (!known) await places?.keep('spoken', i, writeSpoken(found))
    all.push(found)
  }
  return joinSpoken(all)
}

/** Where the ranges of one sound are kept. */
class SurveyPlaces {
  readonly #kept: KeptWindows
  readonly #sound: string

  constructor(kept: KeptWindows, sound: string) {
    this.#kept = kept
    this.#sound = sound
  }

  /** The kept ranges, by their numbers. */
  async find(what: string, count: number): Promise<ReadonlyMap<number, string>> {
    const names = Array.from({ length: count }, (_, i) => this.#nameOf(what, i))
    const found = await this.#kept.find(names)
    return new Map(
      names.flatMap((name, i) => {
        const text = found.get(name)
        return text === undefined ? [] : [[i, text] as const]
      }),
    )
  }

  async keep(what: string, i: number, text: string): Promise<void> {
    await this.#kept.keep(this.#nameOf(what, i), text)
  }

  #nameOf(what: string, i: number): string {
    return createHash('sha256').update(`${what} ${i} ${this.#sound}`).digest('hex')
  }
}

function writeActivity({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

/** Undefined if it cannot be read, or has another number of blocks. */
function readActivity(text: string | undefined, blocks: number): Float32Array | undefined {
  if (!z.base64().safeParse(text).success) return undefined
  const bytes = Uint8Array.from(Buffer.from(text ?? '', 'base64'))
  const isWhole = bytes.length === blocks * Float32Array.BYTES_PER_ELEMENT
  return isWhole ? new Float32Array(bytes.buffer) : undefined
}

/** Start and end of each stretch, one after the other: in hours of sound there are tens of thousands. */
const keptStretches = z.array(z.int()).refine(({ length }) => length % 2 === 0)
const keptSpoken = z.object({ speech: keptStretches, breaths: keptStretches })

function writeSpoken({ speech, breaths }: Spoken): string {
  const flat = (some: readonly SpeechStretch[]) => some.flatMap(({ start, end }) => [start, end])
  return JSON.stringify({ speech: flat(speech), breaths: flat(breaths) })
}

function readSpoken(text: string | undefined): Spoken | undefined {
  const { data } = keptSpoken.safeParse(jsonOf(text ?? ''))
  return data && { speech: stretchesOf(data.speech), breaths: stretchesOf(data.breaths) }
}

function stretchesOf(flat: readonly number[]): SpeechStretch[] {
  return Array.from({ length: flat.length / 2 }, (_, i) => ({
    start: flat[2 * i] ?? 0,
    end: flat[2 * i + 1] ?? 0,
  }))
}
