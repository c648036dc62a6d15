/** How a case came out. A fault is ours: what the case did that none may do. */
export type Outcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'fault'; readonly what: string }

/** Reasons that a file can be the cause of. Every other one says that something of ours went wrong. */
const plainReasons = new Set([
  ...['source_not_media', 'source_undecodable', 'source_too_large', 'element_unusable'],
  ...['nothing_left', 'output_too_large'],
])

/** Whether a customer could do something with such a failure. */
export function judgeFailure(reason: string, message: string): Outcome {
  const shown = `${reason}: ${message}`
  if (!plainReasons.has(reason)) return { kind: 'fault', what: `failed with ${shown}` }
  if (message === '' || /\/tmp|undefined|NaN|\[object/.test(message)) {
    return { kind: 'fault', what: `failed with a text that is not plain: ${shown}` }
  }
  return { kind: 'refused', reason }
}
