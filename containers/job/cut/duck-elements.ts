import path from 'node:path'
import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { CutFootage } from '../../render/render-sources.ts'
import type { Ducked } from '../../render/render-state.ts'
import {
  elementSounds,
  openElementSound,
  type ElementSound,
} from '../../render/elements/element-sound.ts'
import { BlockMeter, blocksPerSecond } from '../../sound/level/block-meter.ts'
import { duckStretches, type DuckRequest } from '../../sound/level/duck-stretches.ts'
import { decibels } from '../../sound/level/levels.ts'
import { lowerSound } from '../../sound/level/lower-sound.ts'
import type { PreparedSound } from '../../sound/prepared-sound.ts'
import { recordSound } from '../../sound/record-sound.ts'
import { countDucked } from '../../sound/sound-request.ts'
import { filmSeconds } from '../../timeline/list-cuts.ts'

/** Writes the sounds of elements that make way for voices, lowered wherever somebody speaks. */
export async function duckElements(
  tools: ToolContext,
  { elements = [], audio }: Pick<ProcessingOptions, 'elements' | 'audio'>,
  footage: Pick<
    CutFootage,
    'clips' | 'timeline' | 'removed' | 'joints' | 'sound' | 'elementMedia'
  > & { readonly suffix?: string | undefined },
): Promise<Ducked | undefined> {
  if (countDucked({ elements }) === 0) return undefined
  const { sound, elementMedia, suffix = '' } = footage
  const durationSeconds = filmSeconds(footage)
  const { placed } = elementSounds(elements, elementMedia, { ...footage, durationSeconds })
  const asked = placed.filter(({ element }) => Boolean(element.effects?.duck))
  const files = new Map<number, string>()
  if (!sound?.voices) return { files, warnings: asked.map(({ index }) => unheard(index, sound)) }
  for (const one of asked) {
    const name = `ducked${one.index}${suffix}.f32`
    const voiceGainDb = (sound.gainDb ?? 0) + decibels((audio?.volume ?? 1) ** 2)
    files.set(one.index, await duckOne(tools, one, { name, voices: sound.voices, voiceGainDb }))
  }
  return { files, warnings: [] }
}

function unheard(index: number, sound: PreparedSound | undefined): string {
  const why = sound ? 'nobody was heard to speak' : 'the video has no sound'
  return `elements[${index}].effects.duck: ${why}, so the sound was not lowered.`
}

/** Returns the name of the file inside the job folder. */
async function duckOne(
  tools: ToolContext,
  one: ElementSound,
  { name, ...heard }: { readonly name: string } & Pick<DuckRequest, 'voices' | 'voiceGainDb'>,
): Promise<string> {
  const { span, element } = one
  const meter = new BlockMeter()
  await recordSound(tools, {
    sound: openElementSound(one),
    path: name,
    withSpeech: false,
    maxSeconds: span.end - span.start + 1,
    onSeconds: () => undefined,
    onSamples: (samples) => meter.push(samples),
  })
  const duck = element.effects?.duck
  const stretches = duckStretches({
    ...heard,
    music: meter.finish(),
    startBlock: Math.round(span.start * blocksPerSecond),
    amountDb: typeof duck === 'object' ? duck.amount : undefined,
  })
  await lowerSound(path.join(tools.folder, name), stretches, tools.signal)
  return name
}
