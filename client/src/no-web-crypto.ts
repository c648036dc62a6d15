import { SpoolError } from './errors.ts'

/** Takes the place of node/web-crypto.ts everywhere but in Node: `imports` in package.json. */
export function subtleCrypto(): never {
  throw new SpoolError('A webhook cannot be checked here, because this runtime has no WebCrypto.')
}
