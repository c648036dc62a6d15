import type { Answer } from './exchange.ts'

/** A customer, with one key. */
export type Account = {
  name: string
  accountId: string
  key: string
  weight: number
  /** Where webhooks go that an order asks for. */
  hook: string | undefined
  /** Where it is told of everything. */
  endpoint: string | undefined
  /** The name of its bucket. */
  storage: string
  /** Switches an endpoint off or on that hears of some ends beside all others. */
  switchEndpoint?: (isOn: boolean) => Promise<Answer | undefined>
}
