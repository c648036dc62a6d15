/**
 * Declares the part of Node's module that the Worker uses. Node's own types would declare all of Node, and workerd
 * lacks most of it.
 */
declare module 'node:crypto' {
  export function scrypt(
    password: string,
    salt: Uint8Array,
    length: number,
    cost: { N: number; r: number; p: number; maxmem: number },
    done: (error: Error | null, hash: Uint8Array) => void,
  ): void
  export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean
}
