import { webcrypto } from 'node:crypto'

/** Node 18 has WebCrypto, but not as a global. */
export function subtleCrypto(): typeof crypto.subtle {
  return webcrypto.subtle as typeof crypto.subtle
}
