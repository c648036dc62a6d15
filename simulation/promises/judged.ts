import type { Containers } from '../actors/media/containers.ts'
import type { Order } from '../actors/customer.ts'
import type { Receivers } from '../actors/receivers.ts'
import type { World } from '../engine/world.ts'
import type { Bucket } from '../platform/bucket.ts'
import type { Database } from '../platform/database.ts'
import type { Deployment } from '../platform/deployment.ts'
import type { StepPromises } from './step-promises.ts'
import type { WatchUsage } from './watch/watch-usage.ts'

/** The parts of a world that are checked when its history is over. */
export type Judged = {
  world: World
  database: Database
  bucket: Bucket
  deployment: Deployment
  containers: Containers | undefined
  receivers: Receivers
  orders: readonly Order[]
  usage: WatchUsage
  promises: StepPromises
}
