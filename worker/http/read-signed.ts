import type { Context } from 'hono'
import { z } from 'zod'
import { AppError } from '../contract/answers/errors.ts'
import { signatureHeader, verifyMessage } from '../contract/job/signed-message.ts'
import type { AppEnv } from './app-env.ts'
import { readText } from './read-body.ts'

/** A number in an address. */
export const pathNumber = z
  .string()
  .regex(/^(0|[1-9]\d{0,9})$/)
  .transform(Number)

type Signing<Claim> = {
  /** What the address names: the body must name the same. */
  claim: z.ZodType<Claim>
  key: (claim: Claim) => Promise<string>
  /** A longer message is not one of ours. */
  mostBytes: number
}

const signedBody = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' })
      return z.NEVER
    }
  })
  .pipe(z.looseObject({}))

/**
 * Reads a message from the media worker that holds this claim; any other sender learns nothing from the refusal. The
 * address names the claim, so the body is not parsed before its signature was verified.
 */
export async function readSigned<Claim extends { jobId: string }>(
  c: Context<AppEnv>,
  { claim, key, mostBytes }: Signing<Claim>,
): Promise<{ claim: Claim; body: unknown }> {
  const named = claim.safeParse(c.req.param())
  const signature = c.req.header(signatureHeader)
  if (!named.success || signature === undefined) throw refusal()
  const text = await readText(c.req.raw, mostBytes)
  if (!(await verifyMessage(await key(named.data), text, signature, Date.now()))) throw refusal()
  const body = signedBody.safeParse(text)
  if (!body.success || !isOf(named.data, body.data)) throw refusal()
  return { claim: named.data, body: body.data }
}

/** A body that is signed for one claim must not name another. */
function isOf(claim: object, body: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(claim).every(([name, value]) => name === 'jobId' || body[name] === value)
}

function refusal(): AppError {
  return new AppError('Unauthorized', 'The signature is not valid.')
}

export function understood<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new AppError('ValidationError', z.prettifyError(parsed.error).slice(0, 1000))
}
