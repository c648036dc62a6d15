/** The part of Node's module that workerd offers and the Worker uses; Node's own types would bring all of Node in. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<Store> {
    run<Value>(store: Store, work: () => Value): Value
    getStore(): Store | undefined
  }
}
