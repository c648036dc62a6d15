import type { Scope } from './api-key.ts'

/** Who asks with an API key. */
export type KeyCaller = { keyId: string; accountId: string; scopes: Scope[] }

/** Who asks while signed in to the dashboard. */
type MemberCaller = { personId: string; accountId: string; scopes: Scope[] }

export type Caller = KeyCaller | MemberCaller
