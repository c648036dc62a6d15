import { z } from 'zod'
import { closedObject } from '../../input/closed-object.ts'
import { worded } from '../../answers/wording.ts'
import { crop, plainColor } from '../picture/picture-edits.ts'
import { pixelsOrPercent } from './pixels-or-percent.ts'

const degreesRange = 'Must be from -360 to 360 degrees'
const rotation = worded(
  z.number().min(-360, degreesRange).max(360, degreesRange),
  'a number of degrees such as -15',
)

const cornerRadius = pixelsOrPercent(50, 'the shorter side such as "10%"')

const similarityRange = 'Must be from 0.01 to 1'
const chromaKey = worded(
  closedObject({
    color: plainColor.describe('The colour that becomes transparent'),
    similarity: worded(
      z.number().min(0.01, similarityRange).max(1, similarityRange),
      'a number from 0.01 to 1',
    )
      .optional()
      .describe('How far from it colours may be, brightness aside: 0.12 when absent'),
  }),
  'an object such as {"color": "#00ff00", "similarity": 0.12}',
)

/** The fields of every element whose picture is laid over the film, including texts. */
export const looks = {
  rotation: rotation
    .optional()
    .describe('Degrees clockwise by which it is turned about its middle'),
  cornerRadius: cornerRadius
    .optional()
    .describe('Rounds its corners: pixels, or % of its shorter side; 50% of a square is a circle'),
  repeat: z
    .literal('tile')
    .optional()
    .describe('tile repeats it side by side over the whole frame'),
}

/** The fields of elements with a file. */
export const fileLooks = {
  ...looks,
  crop: crop.optional().describe('The part of its own picture that is shown'),
  chromaKey: chromaKey
    .optional()
    .describe('Makes a colour of it transparent, such as a green wall'),
}
