import { z } from 'zod'
import { closedObject } from '../../input/closed-object.ts'
import { limits } from '../../limits.ts'
import { seconds } from '../time.ts'
import { worded } from '../../answers/wording.ts'
import { textUpTo } from '../../input/text.ts'

export const anchors = [
  'top-left',
  'top-center',
  'top-right',
  'center-left',
  'center',
  'center-right',
  'bottom-left',
  'bottom-center',
  'bottom-right',
] as const

export const easings = ['linear', 'ease-in', 'ease-out', 'ease-in-out'] as const

export const fade = worded(
  closedObject({
    duration: seconds.describe('Length of the fade in seconds'),
    easing: z.enum(easings).optional().describe('Shape of the fade; linear when absent'),
  }).describe('A gradual change between nothing and full strength'),
  'an object such as {"duration": 0.5}',
)

export const timing = worded(
  closedObject(
    {
      startTime: seconds.optional().describe('Second of the output at which it appears'),
      endTime: seconds
        .optional()
        .describe('Second of the output at which it disappears; clamped to the end'),
      entireVideo: z
        .boolean()
        .optional()
        .describe('Show for the whole video; overrides startTime and endTime'),
    },
    { duration: 'Unknown field; an element ends at its endTime, in seconds of the output' },
  )
    .refine((t) => t.entireVideo === true || (t.endTime ?? Infinity) > (t.startTime ?? 0), {
      path: ['endTime'],
      message: 'Must be after startTime',
    })
    .describe('When the element is shown or heard, in output time; the whole video when absent'),
  'an object such as {"startTime": 1, "endTime": 2}',
)

export const percentage = worded(
  z
    .string()
    .max(20)
    .regex(
      /^(100(\.0+)?|\d{1,2}(\.\d+)?)%$/,
      'Must be a percentage from 0% to 100%, such as "12.5%"',
    ),
  'a percentage such as "10%"',
)

const place = closedObject({
  anchor: z.enum(anchors).optional().describe('One of nine places; not together with x and y'),
  x: percentage.optional().describe('Left edge, in % of the frame width'),
  y: percentage.optional().describe('Top edge, in % of the frame height'),
})
  .superRefine((place, context) => {
    if (place.anchor === undefined || (place.x === undefined && place.y === undefined)) return
    context.addIssue({
      code: 'custom',
      path: ['anchor'],
      message: 'Use either anchor or x and y, not both',
    })
  })
  .meta({
    description: 'Where the element is: anchor, or x and y, never both; centred when absent',
    not: { required: ['anchor'], anyOf: [{ required: ['x'] }, { required: ['y'] }] },
  })
export const position = worded(place, 'an object such as {"anchor": "top-right"}')

const pixels = z
  .number()
  .min(1, 'Must be at least 1 pixel')
  .max(limits.elementPixels, `Must be at most ${limits.elementPixels} pixels`)

const percent = z
  .string()
  .max(20)
  .regex(/^\d+(\.\d+)?%$/, 'Must be a number of pixels or a percentage such as "25%"')
  .refine((text) => {
    const value = Number.parseFloat(text)
    return value > 0 && value <= limits.elementPercent
  }, `Must be above 0% and at most ${limits.elementPercent}%`)

/** Numbers and texts get messages of their own instead of "invalid union". */
export const length = z.union([pixels, percent], {
  error: (issue) => {
    if (typeof issue.input === 'number') return `Must be from 1 to ${limits.elementPixels} pixels`
    if (typeof issue.input === 'string')
      return `Must be a percentage above 0% and at most ${limits.elementPercent}%, such as "25%"`
    return 'Must be a number of pixels or a percentage such as "25%"'
  },
})

export const size = worded(
  closedObject({
    width: length.optional().describe('Pixels, or % of the frame width'),
    height: length.optional().describe('Pixels, or % of the frame height'),
    fit: z
      .enum(['cover', 'contain'])
      .optional()
      .describe('Applies when width and height are both given; contain when absent'),
  }).describe('How large the element is; when absent, its own size, but at most the frame'),
  'an object such as {"width": "20%"}',
)

export const moves = ['from-left', 'from-right', 'from-top', 'from-bottom', 'zoom'] as const

const move = worded(
  closedObject({
    type: z.enum(moves).describe('From which edge of the frame, or growing from its middle'),
    duration: seconds.describe('Length of the move in seconds'),
    easing: z.enum(easings).optional().describe('Shape of the move; linear when absent'),
  }),
  'an object such as {"type": "from-left", "duration": 0.5}',
)

const shown = {
  opacity: worded(
    z.number().min(0, 'Must be from 0 to 1').max(1, 'Must be from 0 to 1'),
    'a number from 0 to 1',
  )
    .optional()
    .describe('0 transparent … 1 opaque'),
  fadeIn: fade.optional().describe('A fade from transparent at its start'),
  fadeOut: fade.optional().describe('A fade to transparent at its end'),
  enter: move.optional().describe('A move into its place at its start'),
  exit: move.optional().describe('The same move backwards, out of its place, at its end'),
}

export const visualEffects = worded(
  closedObject(shown, {
    volume: 'volume applies to audio and video elements only',
    duck: 'duck applies to audio and video elements only',
  }),
  'an object such as {"opacity": 0.8}',
)

const volumeRange = `Must be from 0 to ${limits.volume}`
const volume = worded(
  z.number().min(0, volumeRange).max(limits.volume, volumeRange),
  `a number from 0 to ${limits.volume}`,
).optional()

const duckRange = `Must be from 1 to ${limits.duckDb}`
const duck = z
  .union(
    [
      z.boolean(),
      closedObject({
        amount: worded(
          z.number().min(1, duckRange).max(limits.duckDb, duckRange),
          `a number of decibels from 1 to ${limits.duckDb}`,
        ).describe('Decibels; with true, as many as keep speech clear'),
      }),
    ],
    { error: 'Must be true, false or an object such as {"amount": 12}' },
  )
  .optional()
  .describe('Lowers the sound while somebody speaks in the video')

export const videoEffects = worded(
  closedObject({
    ...shown,
    volume: volume.describe('1 plays its sound as it is; without volume and duck it is silent'),
    duck,
  }),
  'an object such as {"opacity": 0.8}',
)

export const audioEffects = worded(
  closedObject(
    {
      volume: volume.describe('1 leaves the sound as it is'),
      duck,
      fadeIn: fade.optional().describe('A fade from silence at its start'),
      fadeOut: fade.optional().describe('A fade to silence at its end'),
    },
    {
      opacity: 'opacity applies to image, gif, video and text elements only',
      enter: 'enter applies to image, gif, video and text elements only',
      exit: 'exit applies to image, gif, video and text elements only',
    },
  ),
  'an object such as {"volume": 0.5}',
)

/** The fields of every element. */
export const shared = {
  timing: timing.optional(),
  clip: worded(z.int().min(1, 'Clips are counted from 1'), 'a whole number such as 1')
    .optional()
    .describe('The clip of files, from 1, that timing counts in and that it ends with'),
  comment: textUpTo(limits.commentLength)
    .optional()
    .describe('A note of your own; returned unchanged'),
}

/** The fields of every visible element, except its size. */
export const placed = {
  ...shared,
  position: position.optional(),
  effects: visualEffects.optional(),
  zIndex: z
    .number()
    .optional()
    .describe('Higher values are in front; equal values keep array order; 0 when absent'),
}

export const visual = { ...placed, size: size.optional() }
