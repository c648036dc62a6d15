/** The part of Node's module that workerd offers and the Worker uses; Node's own types would bring all of Node in. */
declare module 'node:buffer' {
  export class Buffer extends Uint8Array<ArrayBuffer> {
    static override from(buffer: ArrayBuffer, offset: number, length: number): Buffer
    override indexOf(value: Uint8Array | number, from?: number): number
  }
}
