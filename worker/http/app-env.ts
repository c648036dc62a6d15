import { createFactory } from 'hono/factory'
import type { Caller } from '../durable/key-gate.ts'
import type { Env } from '../settings.ts'
import type { ShownVideo } from '../store/tables.ts'

/** What travels with a request through the middleware. */
export type AppEnv = {
  Bindings: Env
  Variables: {
    requestId: string
    caller: Caller
    /** Started beside the gate for a key this isolate has lately seen accepted. */
    prefetchedVideo: Promise<ShownVideo | undefined> | undefined
    /** For the log: what went wrong, however little of it the client was told. */
    fault: unknown
  }
}

/** Makes handler lists whose last one sees what the validators before it have proved. */
export const factory = createFactory<AppEnv>()
