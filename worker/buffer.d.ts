/**
 * Declares the part of Node's module that the Worker uses. Node's own types would declare all of Node, and workerd
 * lacks most of it.
 */
declare module 'node:buffer' {
  export class Buffer extends Uint8Array<ArrayBuffer> {
    static override from(buffer: ArrayBuffer, offset: number, length: number): Buffer
    override indexOf(value: Uint8Array | number, from?: number): number
  }
}
