import type { Account } from '../../actors/account.ts'
import type { Containers } from '../../actors/media/containers.ts'
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

/** Everything that a check needs for its requests. */
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
  /** Empty if each job has a container. */
  workers: readonly Pick<MediaWorker, 'refuseFor' | 'freeze' | 'answers' | 'answersAfterMs'>[]
  containers: Pick<Containers, 'nextIsOlder' | 'nextIsMute' | 'most'> | undefined
  slots: number
  slotWatch: WatchSlots
  usage: WatchUsage
  /** `uploads`: all uploads that ever had a row. */
  promises: { readonly uploads: ReadonlySet<string> }
  mails: Mails
  /** The disk that the service sees, if it has one. */
  disk: Disk | undefined
  /** The key for the metrics. */
  metricsKey: string
  isSweepless: boolean
}

/** With one account that makes requests, and another one that must not notice them. */
export type Plainly = Asking & { own: PlainSession; other: PlainSession; account: Account }
