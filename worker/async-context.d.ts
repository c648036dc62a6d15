/**
 * Declares the part of Node's module that the Worker uses. Node's own types would declare all of Node, and workerd
 * lacks most of it.
 */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<Store> {
    run<Value>(store: Store, work: () => Value): Value
    getStore(): Store | undefined
  }
}
