import { z } from 'zod'
import { worded } from '../../answers/wording.ts'
import { closedObject } from '../../input/closed-object.ts'
import { limits } from '../../limits.ts'
import { isStorageAddress, storageAddressFault } from '../../storages/storage-address.ts'
import { urlFault } from '../media-url.ts'
import { plainColor } from '../picture/picture-edits.ts'

/** Whether a ground is a colour and not the address of a picture. */
export function isColor(ground: string): boolean {
  return plainColor.safeParse(ground).success
}

const ground = worded(
  z
    .string()
    .max(limits.urlLength, `Must be at most ${limits.urlLength} characters`)
    .superRefine((text, context) => {
      const message = isColor(text) ? undefined : groundFault(text)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    }),
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
        color: plainColor.optional().describe('Colour of the wave; white when absent'),
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

type Wave = { readonly color?: string | undefined; readonly background?: string | undefined }
type Asked = {
  readonly background?: string | undefined
  readonly waveform?: boolean | Wave | undefined
}

type GroundAsked = {
  /** The field that says so. */
  readonly field: string
  readonly ground: string
  readonly waveColor: string | undefined
}

/** What the picture of a sound is drawn on; undefined if no picture was asked for. */
export function groundAsked({ background, waveform }: Asked): GroundAsked | undefined {
  const { color = '#ffffff', background: below }: Wave =
    typeof waveform === 'object' ? waveform : {}
  const waveColor = waveform === undefined || waveform === false ? undefined : color
  if (below !== undefined) return { field: 'waveform.background', ground: below, waveColor }
  if (background !== undefined) return { field: 'background', ground: background, waveColor }
  return waveColor === undefined ? undefined : { field: 'waveform', ground: '#000000', waveColor }
}
