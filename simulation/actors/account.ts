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
}
