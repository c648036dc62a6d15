import { z } from 'zod'
import { limits } from './limits.ts'
import { worded } from './wording.ts'

/**
 * The syntax every address from a customer must have. Which hosts it may name is the business of `public-url.ts`. The
 * value stays as it was sent, because the record echoes it; only the parsed form is ever fetched.
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

// White space, control characters and backslashes: URL parsers disagree about all of them.
const forbidden = /[\s\\\p{Cc}]/u

export function urlFault(text: string): string | undefined {
  if (forbidden.test(text)) return 'Must not contain spaces, control characters or backslashes'
  if (!/^https?:\/\//i.test(text)) return 'Must be an http:// or https:// address'
  const url = URL.parse(text)
  if (!url || url.hostname === '' || !text.isWellFormed()) return 'Is not a valid URL'
  // An empty name and password vanish in the parsed form; the sign between them and the host does not.
  if (/^[^/?#]*@/.test(text.slice(text.indexOf('//') + 2))) {
    return 'Must not contain a user name or password'
  }
  return undefined
}
