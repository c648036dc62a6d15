import { z } from 'zod'
import { limits } from '../limits.ts'
import { worded } from '../answers/wording.ts'

/**
 * The syntax that every address from a customer must have; `public-url.ts` decides which hosts it may name. The value
 * is kept as it was sent, because the record echoes it; only the parsed form is ever fetched.
 */
const address = z
  .string()
  .max(limits.urlLength, `Must be at most ${limits.urlLength} characters`)
  .superRefine((text, context) => {
    const fault = urlFault(text)
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })
  .meta({ format: 'uri' })

export const mediaUrl = worded(address, 'an address such as "https://example.com/talk.mp4"')
export const elementUrl = worded(
  address.clone(),
  'an address such as "https://example.com/logo.png"',
)
export const webhookAddress = worded(
  address.clone(),
  'an address such as "https://example.com/hooks"',
)

// URL parsers disagree about white space, control characters and backslashes.
const forbidden = /[\s\\\p{Cc}]/u

export function urlFault(text: string): string | undefined {
  if (forbidden.test(text)) return 'Must not contain spaces, control characters or backslashes'
  if (!/^https?:\/\//i.test(text)) return 'Must be an http:// or https:// address'
  const url = URL.parse(text)
  if (!url || url.hostname === '' || !text.isWellFormed()) return 'Is not a valid URL'
  // Looks at the text itself, because parsing drops an empty user name and password together with the `@`.
  if (/^[^/?#]*@/.test(text.slice(text.indexOf('//') + 2))) {
    return 'Must not contain a user name or password'
  }
  return undefined
}
