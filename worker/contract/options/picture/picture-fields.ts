import { z } from 'zod'
import { worded } from '../../answers/wording.ts'

/** Fields that a request has for all of its results, and each of its outputs for itself. */
export const outputFormats = ['mp4', 'mov', 'avi', 'webm'] as const
export const aspectRatios = ['original', '16:9', '9:16', '1:1', '4:5', '4:3', '21:9'] as const
/** How one clip of several may fit. */
export const fits = ['cover', 'contain', 'stretch'] as const
export const resizeModes = [...fits, 'follow'] as const

export const quality = worded(
  z.number().min(1, 'Must be from 1 to 100').max(100, 'Must be from 1 to 100'),
  'a number from 1 to 100',
)

/** Bars of this colour are the picture itself, blurred. */
export const blurredBars = 'blur'

export const backgroundColor = worded(
  z.string().regex(/^(?:#[0-9a-fA-F]{6}|blur)$/),
  'a hex colour such as "#1a2b3c", or "blur"',
)
