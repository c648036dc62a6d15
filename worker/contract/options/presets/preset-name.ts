import { z } from 'zod'
import { worded } from '../../answers/wording.ts'

/** Part of an address, of a form field and of a command, so it has only characters without special meaning in any of them. */
export const presetName = worded(
  z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/),
  'a name of up to 63 lower-case letters, digits and dashes, such as "clean-talk"',
)
