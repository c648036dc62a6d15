import type { Answer } from './exchange.ts'

/** A customer, with one key. */
export type Account = {
  name: string
  accountId: string
  key: string
  weight: number
  /** The address of the webhooks that its orders ask for. */
  hook: string | undefined
  /** The address of an endpoint for all events. */
  endpoint: string | undefined
  /** The name of its bucket. */
  storage: string
  /** Switches off or on an endpoint that hears of some ends besides all others. */
  switchEndpoint?: (isOn: boolean) => Promise<Answer | undefined>
}
