import { z } from 'zod'
import { closedObject } from '../../input/closed-object.ts'
import { length, placed } from './element-fields.ts'
import { looks } from './element-looks.ts'
import { font } from '../captions/fonts.ts'
import { longLetterRule, tooLongLetter } from '../captions/letters.ts'
import { limits } from '../../limits.ts'
import { worded } from '../../answers/wording.ts'
import { pixelsOrPercent } from './pixels-or-percent.ts'
import { textUpTo, wellFormed } from '../../input/text.ts'

/** A colour, and optionally how opaque it is. */
export const textColor = worded(
  z.string().regex(/^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$/),
  'a hex colour such as "#1a2b3c", or "#1a2b3c80" for half of it',
)

/** A length beside text, in pixels or as a share of the size of the font. */
const ofFont = pixelsOrPercent(100, 'the font size such as "8%"')

const outline = worded(
  closedObject({
    color: textColor.optional().describe('Black or white, whichever is readable, when absent'),
    width: ofFont.optional().describe('Pixels, or % of the font size; 8% when absent'),
  }).describe('A line around every letter'),
  'an object such as {"color": "#000000", "width": "8%"}',
)

const shadow = worded(
  closedObject({
    color: textColor.optional().describe('#000000A0 when absent'),
    distance: ofFont
      .optional()
      .describe('To the right and down: pixels, or % of the font size; 6% when absent'),
    blur: ofFont.optional().describe('Pixels, or % of the font size; 6% when absent'),
  }).describe('A shadow behind the letters'),
  'an object such as {"color": "#000000A0"}',
)

const text = worded(
  textUpTo(limits.textLength)
    .min(1, { error: 'Must not be empty', abort: true })
    .refine(...wellFormed)
    .refine((value) => value.trim() !== '', 'Must not be blank')
    .refine((value) => tooLongLetter(value) === undefined, longLetterRule),
  'text such as "Chapter one"',
)

const textSize = worded(
  closedObject(
    {
      width: length
        .optional()
        .describe('Lines are wrapped to it: pixels, or % of the frame width; 90% when absent'),
      height: length
        .optional()
        .describe('The letters are made smaller until all lines fit: pixels, or % of the height'),
    },
    { fit: 'fit does not apply to text elements' },
  ).describe('The most room that the text may take'),
  'an object such as {"width": "50%"}',
)

export const textElement = closedObject(
  {
    type: z.literal('text'),
    text: text.describe('What is written; a line break begins a new line'),
    ...placed,
    ...looks,
    size: textSize.optional(),
    font: font.optional().describe('Inter Bold when absent'),
    fontSize: length.optional().describe('Pixels, or % of the frame height; 6% when absent'),
    color: textColor.optional().describe('Colour of the letters; #FFFFFF when absent'),
    background: textColor.optional().describe('Colour of a box behind the text; none when absent'),
    padding: ofFont
      .optional()
      .describe('Room between text and box: pixels, or % of the font size; 30% when absent'),
    outline: outline.optional(),
    shadow: shadow.optional(),
    align: z.enum(['left', 'center', 'right']).optional().describe('center when absent'),
    lineHeight: worded(
      z.number().min(0.5, 'Must be from 0.5 to 4').max(4, 'Must be from 0.5 to 4'),
      'a number from 0.5 to 4',
    )
      .optional()
      .describe('Distance of the lines in font sizes; 1.25 when absent'),
  },
  {
    url: 'A text element has no url; font takes the address of a font',
    loop: 'loop applies to gif, video and audio elements only',
    crop: 'crop applies to image, gif and video elements only',
    chromaKey: 'chromaKey applies to image, gif and video elements only',
  },
)

export type TextElement = z.infer<typeof textElement>
