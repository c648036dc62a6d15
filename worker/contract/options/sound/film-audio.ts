import { z } from 'zod'
import { worded } from '../../answers/wording.ts'
import { closedObject } from '../../input/closed-object.ts'
import { fade } from '../elements/element-fields.ts'
import { elementUrl } from '../media-url.ts'

const mostVolume = 4
const range = `Must be from 0 to ${mostVolume}`

export const volume = worded(
  z.number().min(0, range).max(mostVolume, range),
  `a number from 0 to ${mostVolume}`,
)

/** The film's own sound; sounds of elements have their own effects. */
export const filmAudio = worded(
  closedObject({
    volume: volume.optional().describe('1 leaves the sound as it is'),
    mute: z.boolean().optional().describe('Leave it out; sounds of elements stay'),
    replaceUrl: elementUrl.optional().describe('Address of a sound to play instead; not with mute'),
    fadeIn: fade.optional().describe('A fade from silence at its start'),
    fadeOut: fade.optional().describe('A fade to silence at its end'),
  }).superRefine(({ mute, replaceUrl }, context) => {
    if (mute !== true || replaceUrl === undefined) return
    const message = 'Use either mute or replaceUrl, not both'
    context.addIssue({ code: 'custom', path: ['mute'], message })
  }),
  'an object such as {"volume": 0.5}',
)
