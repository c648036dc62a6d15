/** The result of a case. A fault is something that no file may cause. */
export type Outcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'fault'; readonly what: string }

/** The reasons that a file can cause. Any other reason means that the service has a fault. */
const plainReasons = new Set([
  ...['source_not_media', 'source_undecodable', 'source_too_large', 'element_unusable'],
  ...['nothing_left', 'output_too_large'],
])

/** Judges whether a customer can do something about the failure. */
export function judgeFailure(reason: string, message: string): Outcome {
  const shown = `${reason}: ${message}`
  if (!plainReasons.has(reason)) return { kind: 'fault', what: `failed with ${shown}` }
  if (message === '' || /\/tmp|undefined|NaN|\[object/.test(message)) {
    return { kind: 'fault', what: `failed with a text that is not plain: ${shown}` }
  }
  return { kind: 'refused', reason }
}
