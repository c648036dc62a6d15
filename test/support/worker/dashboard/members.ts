import type { Member } from '../../../../worker/contract/people/member.ts'

/** Somebody who is signed in, as pages see them. */
export function aMember(wishes: Partial<Member> = {}): Member {
  return {
    personId: 'per_0123456789abcdef',
    email: 'ada@example.com',
    name: 'Ada',
    accountId: 'acc_0123456789abcdef',
    role: 'owner',
    isOperator: false,
    sessionId: 'ses_0123456789abcdef',
    ...wishes,
  }
}
