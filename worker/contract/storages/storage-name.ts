import { z } from 'zod'
import { worded } from '../answers/wording.ts'

/** The host of a `storage://` address and part of our own addresses, so it has only characters that mean nothing in either. */
export const storageName = worded(
  z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/),
  'a name of up to 63 lower-case letters, digits and dashes, such as "archive"',
)
