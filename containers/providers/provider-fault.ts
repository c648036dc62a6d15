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

const passing: readonly ProviderFaultKind[] = ['timed-out', 'busy', 'unreachable', 'unreadable']

/** Whether another call may not meet this fault; a wrong key and a refused request would be refused again. */
export function isPassing(fault: unknown): boolean {
  return fault instanceof ProviderFault && passing.includes(fault.kind)
}
