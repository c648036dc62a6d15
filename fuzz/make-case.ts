import { optionsSchema } from '../worker/contract/options/options.ts'
import { damaged } from './damage.ts'
import { Random } from './random.ts'
import type { ElementType, Seeds, SourceKind } from './seeds.ts'

export type FuzzCase = {
  readonly name: string
  readonly kind: SourceKind
  readonly source: Buffer
  readonly element: { readonly type: ElementType; readonly bytes: Buffer } | undefined
  /** The options of the request, without elements. */
  readonly options: Readonly<Record<string, unknown>>
}

/** Makes the same case for the same seed and number, on every machine with the same ffmpeg. */
export function makeCase(seeds: Seeds, seed: number, number: number): FuzzCase {
  const random = new Random(seed, number)
  const begun = random.pick(random.chance(0.5) ? seeds.videos : seeds.drawn)
  const hasElement = random.chance(0.4)
  const element = random.pick(seeds.elements)
  // If there is an element, the source, the element or both are damaged.
  const isSourceDamaged = !hasElement || random.chance(0.4)
  const isElementDamaged = !isSourceDamaged || random.chance(0.3)
  return {
    name: hasElement ? `${begun.name} + ${element.name}` : begun.name,
    kind: begun.kind,
    source: isSourceDamaged ? damaged(begun.bytes, random) : begun.bytes,
    element: hasElement
      ? {
          type: element.type,
          bytes: isElementDamaged ? damaged(element.bytes, random) : element.bytes,
        }
      : undefined,
    options: {
      ...randomOptions(random),
      // The picture of a sound.
      ...(begun.kind === 'sound' && random.pick([{ background: '#336699' }, { waveform: true }])),
    },
  }
}

function randomOptions(random: Random): Record<string, unknown> {
  const { outputFormat, aspectRatio, resizeMode } = optionsSchema.parse({})
  const flag = () => random.chance(0.15)
  return {
    outputFormat: random.pick([outputFormat, 'mp4', 'mov', 'avi', 'webm'] as const),
    compressionQuality: random.pick([100, 100, 60, 1] as const),
    aspectRatio: random.pick([aspectRatio, 'original', '9:16', '1:1'] as const),
    rotate: random.pick([0, 0, 90, 180] as const),
    resizeMode: random.pick([resizeMode, 'contain', 'stretch'] as const),
    removeSilence: flag(),
    normalizeAudio: flag(),
    removeNoise: flag(),
    enableThumbnail: flag(),
    ...(random.chance(0.2) && { removeSegments: [{ startTime: 0.2, endTime: 0.5 }] }),
  }
}
