import { z } from 'zod'
import { worded } from '../../answers/wording.ts'
import { limits } from '../../limits.ts'

/** A length in pixels, or as a share of something else. */
export function pixelsOrPercent(mostPercent: number, of: string) {
  return worded(
    z.union([
      z.number().min(0).max(limits.elementPixels),
      z
        .string()
        .max(20)
        .regex(/^\d+(\.\d+)?%$/)
        .refine((text) => Number.parseFloat(text) <= mostPercent),
    ]),
    `a number of pixels, or up to ${mostPercent}% of ${of}`,
  )
}
