import { scopes, type Scope } from './api-key.ts'

export const roles = ['owner', 'member'] as const
export type Role = (typeof roles)[number]

/** A person who is signed in, in the account that they are in now. */
export type Member = {
  personId: string
  /** null for an owner who came by a link of the operator and has not given an address yet. */
  email: string | null
  /** What to call the person: the name, else the address, else the role. */
  name: string
  accountId: string
  role: Role
  /** Whether the person may see what concerns the whole service. */
  isOperator: boolean
  sessionId: string
}

/** What somebody in this role may do: keys and people are the owners' matter. */
export function scopesOf(role: Role): Scope[] {
  return scopes.filter((scope) => role === 'owner' || scope !== 'keys:manage')
}

/** Who asks with an API key. */
export type KeyCaller = { keyId: string; accountId: string; scopes: Scope[] }

/** Who asks while signed in to the dashboard. */
type MemberCaller = { personId: string; accountId: string; scopes: Scope[] }

export type Caller = KeyCaller | MemberCaller
