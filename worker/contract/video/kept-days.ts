import { z } from 'zod'
import { worded } from '../answers/wording.ts'

/** For how many days something of an account is kept where it is. */
export const keptDays = worded(
  z.int().min(1, 'Must be from 1 to 3650 days').max(3650, 'Must be from 1 to 3650 days'),
  'a whole number of days',
)
