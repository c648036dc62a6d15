import { z } from 'zod'

/** How the text of a setting is read. Each message completes the sentence "NAME …". */
export type Kind<Value> = z.ZodType<Value, string>

export const anyText = z.string()

/** A file or folder. Only shells know `~`; from a file of settings it would name a folder of that name. */
export const place = anyText.regex(/^(?!~)/, 'must not begin with ~: write the whole path')

export function textOfAtLeast(least: number): Kind<string> {
  return z.string().min(least, `must have at least ${least} characters`)
}

export function wholeNumber(min: number, max: number): Kind<number> {
  const rule = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,16}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule)
}

export const bytes = wholeNumber(1, 2 ** 50)

const secondsRule = 'must be a number of seconds above 0'

export const seconds: Kind<number> = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,3})?$/, secondsRule)
  .transform(Number)
  .refine((value) => value > 0, secondsRule)

const priceRule = 'must be a number such as 0.00002'

export const price: Kind<number> = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,12})?$/, priceRule)
  .transform(Number)

export const flag: Kind<boolean> = z
  .enum(['0', '1'], 'must be 0 or 1')
  .transform((text) => text === '1')

export function oneOf<const Word extends string>(...words: [Word, ...Word[]]) {
  const last = words.at(-1)
  return z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${last}`)
}

const webAddressRule = 'must be an http or https address without a query'

/** Quotes and dollar signs have a meaning in the file that passes the address to the Worker. */
export const webAddress: Kind<string> = z
  .string()
  .regex(/^https?:\/\/[^\s/?#"'$\\]+(\/[^\s?#"'$\\]*)?$/, webAddressRule)
  .refine((text) => URL.canParse(text), webAddressRule)
  .transform((text) => text.replace(/\/+$/, ''))

/** The service answers at the root of its host: its pages name each other by `/app/…`. */
export const webOrigin: Kind<string> = webAddress.refine(
  (text) => new URL(text).pathname === '/',
  'must not have a path: give the service a host name of its own',
)

export const webAddresses: Kind<string[]> = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== ''))
  .pipe(z.array(webAddress))

export const ipAddress: Kind<string> = z
  .string()
  .refine(
    (text) => z.union([z.ipv4(), z.ipv6()]).safeParse(text).success,
    'must be an IP address, such as 127.0.0.1 or 0.0.0.0',
  )

/** For a value that is sent in a header. */
export const headerText: Kind<string> = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')

/** Quotes and dollar signs have a meaning in the file that passes the sender to the Worker. */
export const mailSender: Kind<string> = z
  .string()
  .regex(
    /^[^\p{Cc}"'$\\]+@[^\p{Cc}"'$\\]+$/u,
    'must be an address, or a name and an address in < >',
  )

/** For a value that becomes part of a path. */
export const pathName: Kind<string> = z
  .string()
  .regex(/^[@\w./:-]+$/, 'must be letters, digits and @ . _ / : - only')

/** One or more such values, from the most to the least preferred. */
export const pathNames: Kind<string[]> = z
  .string()
  .regex(/^[\w./:-]+(,[\w./:-]+)*$/, 'must be names with commas between them, without spaces')
  .transform((text) => text.split(','))

/** Read by a function whose error says what is wrong with the text. */
export function parsedBy<Value>(parse: (text: string) => Value): Kind<Value> {
  return z.string().transform((text, context): Value => {
    try {
      return parse(text)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      context.addIssue({ code: 'custom', message: `is not valid: ${message}` })
      return z.NEVER
    }
  })
}
