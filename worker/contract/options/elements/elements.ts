import { z } from 'zod'
import { closedObject } from '../../input/closed-object.ts'
import { audioEffects, shared, videoEffects, visual, length, position } from './element-fields.ts'
import { elementUrl } from '../media-url.ts'
import { fileLooks } from './element-looks.ts'
import { textElement } from './text-element.ts'
import { worded } from '../../answers/wording.ts'

/** Shown in the error for anything that is not an element. */
export const smallestElement = '{"type": "image", "url": "https://example.com/logo.png"}'

const media = { url: elementUrl.describe('Address of the media') }

const loop = z.boolean().optional()

const misplacedOnAudio = {
  position: 'position does not apply to audio elements',
  size: 'size does not apply to audio elements',
  zIndex: 'zIndex does not apply to audio elements',
}

const imageElement = closedObject(
  { type: z.literal('image'), ...media, ...visual, ...fileLooks },
  { loop: 'loop applies to gif, video and audio elements only' },
)
const gifElement = closedObject({
  type: z.literal('gif'),
  ...media,
  ...visual,
  ...fileLooks,
  loop: loop.describe('On when absent'),
})
const videoElement = closedObject({
  type: z.literal('video'),
  ...media,
  ...visual,
  ...fileLooks,
  effects: videoEffects.optional(),
  loop: loop.describe('Off when absent'),
})
const audioElement = closedObject(
  {
    type: z.literal('audio'),
    ...media,
    ...shared,
    effects: audioEffects.optional(),
    loop: loop.describe('Off when absent'),
  },
  misplacedOnAudio,
)

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
const blurElement = closedObject(
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

export const element = worded(
  z
    .discriminatedUnion('type', [
      ...([imageElement, gifElement, videoElement, audioElement] as const),
      ...([textElement, blurElement] as const),
    ])
    .describe('Something laid over the video or mixed into its sound'),
  `an object such as ${smallestElement}`,
)

export type Element = z.infer<typeof element>
