import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { AppError } from '../../contract/answers/errors.ts'
import { scopesOf, type Member } from '../../contract/people/member.ts'
import type { PageReader } from '../../contract/routes.ts'
import { personGate } from '../../durable/key-gate.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { ownersOnly } from '../../http/guard/authenticate.ts'
import { answerCounting, askGate, useOf } from '../../http/guard/count-request.ts'
import { home } from './safe-next.ts'

/** The signed-in member, for a handler that only members reach. */
export function memberOf(c: Context<AppEnv>): Member {
  const member = c.get('member')
  if (!member) throw new AppError('Unauthorized', 'You are signed out. Sign in again to go on.')
  return member
}

/** Lets readers open a page if they may see it; sends a reader who is signed out to sign in and then back. */
export function requireReader(reader: Exclude<PageReader, 'anyone'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const member = c.get('member')
    if (!member) {
      const { pathname, search } = new URL(c.req.url)
      const isPage = c.req.method === 'GET' || c.req.method === 'HEAD'
      const isHome = pathname === '/app' || pathname + search === home
      const back = isPage && !isHome ? `?next=${encodeURIComponent(pathname + search)}` : ''
      return c.redirect(`/app/sign-in${back}`, 303)
    }
    // Other members are told that the page does not exist.
    if (reader === 'operator' && !member.isOperator) throw new AppError('NotFound')
    if (reader === 'owner' && member.role !== 'owner') throw new AppError('Forbidden', ownersOnly)
    await next()
  })
}

/** Makes the member the caller of the API, and counts the request. */
export const actAsMember = createMiddleware<AppEnv>(async (c, next) => {
  const { personId, accountId, role } = memberOf(c)
  // Set before a possible refusal, because the log names the account of a refused request.
  c.set('caller', { personId, accountId, scopes: scopesOf(role) })
  await countAsMember(c)
  await next()
})

/** Counts the request of a member; refuses it if a window of the account is used up. */
export async function countAsMember(c: Context<AppEnv>): Promise<void> {
  const { personId, accountId } = memberOf(c)
  const limits = c.get('memberLimits') ?? null
  const counting = await askGate(
    () => personGate(c.env, personId, accountId),
    async (gate) => gate.count(useOf(c), limits),
  )
  answerCounting(c, counting)
}

export const requireOwner = createMiddleware<AppEnv>(async (c, next) => {
  if (memberOf(c).role !== 'owner') throw new AppError('Forbidden', ownersOnly)
  await next()
})
