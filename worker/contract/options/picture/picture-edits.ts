import { z } from 'zod'
import { closedObject } from '../../input/closed-object.ts'
import { limits } from '../../limits.ts'
import { worded } from '../../answers/wording.ts'
import { percentage } from '../elements/element-fields.ts'
import { elementUrl } from '../media-url.ts'
import { seconds } from '../time.ts'

export const plainColor = worded(
  z.string().regex(/^#[0-9a-fA-F]{6}$/),
  'a hex colour such as "#1a2b3c"',
)

const sideMessage = `Must be from 2 to ${limits.elementPixels} whole pixels, or a percentage above 0%`

/** Numbers and texts get messages of their own instead of "invalid union". */
function pixelsOrPercent(least: number, message: string) {
  const pixels = z.int().min(least).max(limits.elementPixels)
  const percent =
    least === 0
      ? percentage
      : percentage.refine((text) => Number.parseFloat(text) > 0, 'Must be above 0%')
  return z.union([pixels, percent], { error: () => message })
}

export const offset = pixelsOrPercent(
  0,
  `Must be from 0 to ${limits.elementPixels} whole pixels, or a percentage such as "10%"`,
)
const side = pixelsOrPercent(2, sideMessage)

type CropText = { [Field in 'x' | 'y' | 'width' | 'height']?: number | string | undefined }

function percentOf(value: number | string | undefined): number {
  return typeof value === 'string' ? Number.parseFloat(value) : 0
}

/** The sides that reach beyond the picture whatever its size is. */
function sidesOutside({ x, y, width, height }: CropText): ('width' | 'height')[] {
  const isOutside = (from?: number | string, length?: number | string) =>
    percentOf(from) + percentOf(length) > 100
  return [
    ...(isOutside(x, width) ? (['width'] as const) : []),
    ...(isOutside(y, height) ? (['height'] as const) : []),
  ]
}

export const crop = worded(
  closedObject({
    x: offset.optional().describe('Left edge: whole pixels, or % of the width; 0 when absent'),
    y: offset.optional().describe('Top edge: whole pixels, or % of the height; 0 when absent'),
    width: side
      .optional()
      .describe('Whole pixels, or % of the width; up to the right edge when absent'),
    height: side
      .optional()
      .describe('Whole pixels, or % of the height; up to the bottom edge when absent'),
  })
    .superRefine((asked, context) => {
      for (const side of sidesOutside(asked)) {
        const message = `Must end inside the picture: ${side === 'width' ? 'x and width' : 'y and height'} are more than 100% together`
        context.addIssue({ code: 'custom', path: [side], message })
      }
      if (Object.values(asked).some((value) => value !== undefined)) return
      context.addIssue({ code: 'custom', message: 'Must name at least one of x, y, width, height' })
    })
    .meta({ minProperties: 1 }),
  'an object such as {"x": 0, "y": "10%", "width": 1280, "height": "80%"}',
)
export type Crop = z.infer<typeof crop>

export const flips = ['horizontal', 'vertical', 'both'] as const

const factorRange = 'Must be from 0 to 3'
const factor = worded(z.number().min(0, factorRange).max(3, factorRange), 'a number from 0 to 3')

const brightnessRange = 'Must be from -1 to 1'

export const color = worded(
  closedObject({
    brightness: worded(
      z.number().min(-1, brightnessRange).max(1, brightnessRange),
      'a number from -1 to 1',
    )
      .optional()
      .describe('How much lighter every colour becomes, 1 from black to white; 0 when absent'),
    contrast: factor
      .optional()
      .describe('How far colours are from the middle grey: twice as far at 2; 1 when absent'),
    saturation: factor
      .optional()
      .describe('How colourful the picture is: grey at 0; 1 when absent'),
    lutUrl: elementUrl
      .optional()
      .describe('Address of a table of colours, a .cube file with LUT_3D_SIZE, applied last'),
  }),
  'an object such as {"brightness": 0.1, "saturation": 1.2}',
)

export const filmFade = worded(
  closedObject(
    {
      duration: seconds.describe('Length of the fade in seconds'),
      color: plainColor.optional().describe('Colour of the empty picture; #000000 when absent'),
    },
    { easing: 'A fade of the film is linear; elements have effects.fadeIn with easing' },
  ),
  'an object such as {"duration": 1}',
)
export type FilmFade = z.infer<typeof filmFade>
