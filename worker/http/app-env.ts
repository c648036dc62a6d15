import type { Caller } from '../durable/key-gate.ts'
import type { Env } from '../settings.ts'
import type { ShownVideo } from '../store/tables.ts'

/** What travels with a request through the middleware. Read it with `c.get`: `c.var` copies all of it every time. */
export type AppEnv = {
  Bindings: Env
  Variables: {
    requestId: string
    caller: Caller
    /** Of the key that the request came with, good or not. */
    keyHash: string | undefined
    /** Counted as part of an upload that was begun. */
    continuesUpload: true | undefined
    /** Started beside the gate for a key this isolate has lately seen accepted. */
    prefetchedVideo: Promise<ShownVideo | undefined> | undefined
    /** For the log: what went wrong, however little of it the client was told. */
    fault: unknown
  }
}
