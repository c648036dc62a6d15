import { z } from 'zod'
import { displayName } from './key-record.ts'
import { roles } from './member.ts'
import { worded } from '../answers/wording.ts'
import { textUpTo } from '../input/text.ts'

/** For how many days something of an account is kept where it is. */
export const keptDays = worded(
  z.int().min(1, 'Must be from 1 to 3650 days').max(3650, 'Must be from 1 to 3650 days'),
  'a whole number of days',
)

export const passwordLengths = { least: 8, most: 200 } as const

/** One address is one person, however it is written. */
export const emailAddress = worded(
  z.string().trim().toLowerCase().max(254, 'Must be at most 254 characters').pipe(z.email()),
  'an e-mail address such as ada@example.com',
)

/** The passwords that anybody would try first. */
const commonest = new Set(
  '12345678 123456789 1234567890 11111111 00000000 87654321 password password1 passw0rd iloveyou qwertyui qwertyuiop qwerty123 1q2w3e4r abcd1234 abc12345 letmein1 welcome1 sunshine princess football baseball superman trustno1 admin123'.split(
    ' ',
  ),
)

const newPassword = z
  .string()
  .min(passwordLengths.least, {
    error: `Must be at least ${passwordLengths.least} characters`,
    abort: true,
  })
  .max(passwordLengths.most, `Must be at most ${passwordLengths.most} characters`)
  .refine((text) => new Set(text).size > 2, 'Must have more than two different characters')
  .refine(
    (text) => !commonest.has(text.toLowerCase()),
    'Is one of the passwords that are guessed first',
  )

/** Forms send an empty text for a field that was left blank. */
const optionalName = z
  .string()
  .transform((text) => (text.trim() === '' ? undefined : text))
  .pipe(displayName.optional())

const token = z.string().max(100).optional()

const signUpFields = {
  name: optionalName.optional(),
  email: emailAddress,
  password: newPassword,
}

const isNotTheAddress = ({ email, password }: { email: string; password: string }) =>
  password.toLowerCase() !== email
const asAddress = { path: ['password'], error: 'Must not be your e-mail address' }

export const signUpForm = z
  .object({ ...signUpFields, next: z.string().optional(), invitation: token })
  .refine(isNotTheAddress, asAddress)
export type SignUp = z.infer<typeof signUpForm>

/** The first step of a sign-up where mails are sent: the person who receives the mail chooses everything else. */
export const askSignUpForm = z.object({ email: emailAddress, next: z.string().optional() })
export const confirmSignUpForm = z.object(signUpFields).refine(isNotTheAddress, asAddress)

/** Faults of the password are not reported here. */
export const signInForm = z.object({
  email: emailAddress,
  password: textUpTo(passwordLengths.most).min(1, 'Enter your password'),
  next: z.string().optional(),
})

export const askResetForm = z.object({ email: emailAddress })
export const resetForm = z.object({ password: newPassword })

export const profileForm = z.object({ name: optionalName, email: emailAddress.optional() })
export const firstPasswordForm = z.object({ email: emailAddress, password: newPassword })
export const changePasswordForm = z.object({
  current: z.string().min(1, 'Enter your present password').max(passwordLengths.most),
  password: newPassword,
})
export const changeEmailForm = z.object({
  email: emailAddress,
  current: z.string().min(1, 'Enter your password').max(passwordLengths.most),
})
export const accountForm = z.object({ name: displayName })
/** Forms send an empty text for a field that was left blank. */
export const archiveForm = z.object({
  archiveAfterDays: z
    .string()
    .trim()
    .transform((text) => (text === '' ? null : Number(text)))
    .pipe(keptDays.nullable()),
})
export const inviteForm = z.object({ email: emailAddress, role: z.enum(roles) })
export const roleForm = z.object({ personId: z.string().max(100), role: z.enum(roles) })
export const personForm = z.object({ personId: z.string().max(100) })
