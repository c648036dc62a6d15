import { z } from 'zod'
import type { FieldFault } from '../../answers/errors.ts'
import { worded } from '../../answers/wording.ts'
import { closedObject } from '../../input/closed-object.ts'
import { limits } from '../../limits.ts'
import { isStorageAddress, storageAddressFault } from '../../storages/storage-address.ts'
import { urlFault } from '../media-url.ts'
import { contrastOf, luminance, readColor } from '../picture/contrast.ts'
import { plainColor } from '../picture/picture-edits.ts'
import { textWithout } from '../../input/text.ts'

/** Whether a background is a colour and not the address of a picture. */
export function isColor(ground: string): boolean {
  return plainColor.safeParse(ground).success
}

const ground = worded(
  textWithout(limits.urlLength, (text) => (isColor(text) ? undefined : groundFault(text))),
  'a hex colour such as "#1a2b3c", or the address of a picture',
)

function groundFault(text: string): string | undefined {
  if (/^https?:/i.test(text)) return urlFault(text)
  if (isStorageAddress(text)) return storageAddressFault(text)
  return 'Must be a hex colour such as "#1a2b3c", or the address of a picture'
}

/** The picture of a source that is sound alone. */
export const soundAlone = {
  background: ground
    .optional()
    .describe('Picture of a source that is sound alone: a colour, or the address of a picture')
    .meta({ examples: ['#101820'] }),
  waveform: worded(
    z.union([
      z.boolean(),
      closedObject({
        color: plainColor
          .optional()
          .describe('Colour of the wave; when absent white, or black on a bright background'),
        background: ground
          .optional()
          .describe('What is below the wave: a colour, or the address of a picture'),
      }),
    ]),
    'true, false, or an object such as {"color": "#ffffff"}',
  )
    .optional()
    .describe('Picture of a source that is sound alone: its wave as it is heard, on background')
    .meta({ examples: [true] }),
} as const

type WaveColors = { readonly color?: string | undefined; readonly background?: string | undefined }
type SoundAloneRequest = {
  readonly background?: string | undefined
  readonly waveform?: boolean | WaveColors | undefined
}

type GroundAsked = {
  /** The field that asks for it. */
  readonly field: string
  readonly ground: string
  readonly waveColor: string | undefined
}

/** The background on which a sound's picture is drawn; undefined if no picture was requested. */
export function groundAsked({ background, waveform }: SoundAloneRequest): GroundAsked | undefined {
  const wave: WaveColors = typeof waveform === 'object' ? waveform : {}
  const below = wave.background ?? background
  const color = wave.color ?? (below !== undefined && isBright(below) ? '#000000' : '#ffffff')
  const waveColor = waveform === undefined || waveform === false ? undefined : color
  if (wave.background !== undefined) {
    return { field: 'waveform.background', ground: wave.background, waveColor }
  }
  if (background !== undefined) return { field: 'background', ground: background, waveColor }
  return waveColor === undefined ? undefined : { field: 'waveform', ground: '#000000', waveColor }
}

/** A wave with less contrast than this can hardly be seen; 1 is that of a colour with itself. */
const leastContrast = 1.3
/** Where black and white contrast equally, as WCAG measures it. */
const middleLuminance = 0.18

function isBright(ground: string): boolean {
  return isColor(ground) && luminance(readColor(ground)) > middleLuminance
}

/** Faults of the colour of a waveform on a background that is a colour. */
export function waveFaults(asked: SoundAloneRequest): FieldFault[] {
  const { ground = '', waveColor } = groundAsked(asked) ?? {}
  if (waveColor === undefined || !isColor(ground)) return []
  if (contrastOf(readColor(ground), readColor(waveColor)) >= leastContrast) return []
  const message = `Can hardly be seen on ${ground}: choose a brighter or a darker colour`
  return [{ field: 'waveform.color', message }]
}
