import type { Account } from '../../actors/account.ts'
import type { Containers } from '../../actors/containers.ts'
import type { Exchange } from '../../actors/exchange.ts'
import type { Mails } from '../../actors/mails.ts'
import type { MediaWorker } from '../../actors/media/media-worker.ts'
import type { Operator } from '../../actors/operator.ts'
import type { PlainSession } from '../../actors/plain-session.ts'
import type { Receivers } from '../../actors/receivers.ts'
import type { Storages } from '../../actors/storages.ts'
import type { World } from '../../engine/world.ts'
import type { Bucket } from '../../platform/bucket.ts'
import type { Database } from '../../platform/database.ts'
import type { Deployment, Disk } from '../../platform/deployment.ts'
import type { WatchFiles } from '../watch/watch-files.ts'
import type { WatchLine } from '../watch/watch-line.ts'
import type { WatchSlots } from '../watch/watch-slots.ts'
import type { WatchUsage } from '../watch/watch-usage.ts'

/** What is needed to ask for something plainly. */
export type Asking = {
  world: World
  database: Database
  bucket: Bucket
  deployment: Deployment
  exchange: Exchange
  operator: Operator
  receivers: Receivers
  storages: Storages
  files: WatchFiles
  line: WatchLine
  accounts: readonly Account[]
  /** None where each job has a container. */
  workers: readonly Pick<MediaWorker, 'refuseFor' | 'refusesFilm'>[]
  containers: Pick<Containers, 'nextIsOlder'> | undefined
  slots: number
  slotWatch: WatchSlots
  usage: WatchUsage
  /** `uploads`: all that ever had a row. */
  promises: { readonly uploads: ReadonlySet<string> }
  mails: Mails
  /** What the service is told of the disk that it runs on, if it has one. */
  disk: Disk | undefined
  /** Opens the metrics. */
  metricsKey: string
  isSweepless: boolean
}

/** One account that asks, and another one that must not notice. */
export type Plainly = Asking & { own: PlainSession; other: PlainSession; account: Account }
