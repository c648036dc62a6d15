import { z } from 'zod'
import { blurElement } from './blur-element.ts'
import { closedObject } from '../../input/closed-object.ts'
import { audioEffects, shared, videoEffects, visual } from './element-fields.ts'
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
