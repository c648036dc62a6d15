import { z } from 'zod'

export function textUpTo(most: number) {
  return z.string().max(most, `Must be at most ${most} characters`)
}

/** Refuses a text by what is wrong with it. */
export function textWithout(most: number, faultOf: (text: string) => string | undefined) {
  return textUpTo(most).superRefine((text, context) => {
    const message = faultOf(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
}

/** What `refine` takes: what a text must be, and the words for one that is not. */
type TextRule = readonly [isKept: (text: string) => boolean, message: string]

export const wellFormed: TextRule = [(text) => text.isWellFormed(), 'Must be well-formed Unicode']

export const withLetters: TextRule = [
  (text) => /[\p{L}\p{N}]/u.test(text),
  'Must have a letter or a digit',
]

export const withoutControls: TextRule = [
  (text) => !/\p{Cc}/u.test(text),
  'Must not contain control characters',
]
