import { z } from 'zod'
import { closedObject } from '../../input/closed-object.ts'
import { length, position, shared } from './element-fields.ts'
import { worded } from '../../answers/wording.ts'

const side = worded(length, 'a number of pixels or a percentage such as "20%"')

const size = worded(
  closedObject(
    {
      width: side.describe('Pixels, or % of the frame width'),
      height: side.describe('Pixels, or % of the frame height'),
    },
    { fit: 'fit does not apply to blur elements' },
  ),
  'an object such as {"width": "20%", "height": "15%"}',
)

const strengthRange = 'Must be from 1 to 100'

/** Hides a rectangle of the film below it, such as a face or a number plate. */
export const blurElement = closedObject(
  {
    type: z.literal('blur'),
    ...shared,
    position: position.optional(),
    size: size.describe('How large the rectangle is; its edges lie on even pixels'),
    style: z
      .enum(['blur', 'pixels'])
      .optional()
      .describe('blur makes it soft, pixels makes it coarse; blur when absent'),
    strength: worded(
      z.number().min(1, strengthRange).max(100, strengthRange),
      'a number from 1 to 100',
    )
      .optional()
      .describe('How much is hidden; 50 when absent'),
    zIndex: z
      .number()
      .optional()
      .describe('What lies below it is blurred too; equal values keep array order; 0 when absent'),
  },
  {
    url: 'A blur element has no url; it blurs the film below it',
    effects: 'effects do not apply to blur elements; timing says when it is there',
  },
)
