declare const keeps: unique symbol

/** Who may do what: accounts, their keys, people and their sessions. The service has one, and it grows slowly. */
export type HomeDatabase = D1Database & { readonly [keeps]: { home: true } }

/** What accounts make: videos, jobs, webhooks, uploads, usage. All of one account is in one of them. */
export type AccountDatabase = D1Database & { readonly [keeps]: { accounts: true } }
