/** Why a provider gave no usable answer; the caller turns it into a message for the customer. */
export type ProviderFaultKind =
  | 'timed-out'
  | 'busy'
  | 'unreachable'
  | 'unreadable'
  | 'key-refused'
  | 'too-large'
  | 'refused'

export class ProviderFault extends Error {
  override name = 'ProviderFault'
  readonly kind: ProviderFaultKind

  constructor(kind: ProviderFaultKind, options: { cause?: unknown } = {}) {
    super(`The provider could not be used: ${kind}`, options)
    this.kind = kind
  }
}
