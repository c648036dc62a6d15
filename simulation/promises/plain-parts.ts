import type { Account } from '../actors/account.ts'
import type { Exchange } from '../actors/exchange.ts'
import type { Operator } from '../actors/operator.ts'
import type { PlainSession } from '../actors/plain-session.ts'
import type { Receivers } from '../actors/receivers.ts'
import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'
import type { WatchFiles } from './watch-files.ts'
import type { WatchLine } from './watch-line.ts'

/** What is needed to ask for something plainly. */
export type Asking = {
  world: World
  database: Database
  exchange: Exchange
  operator: Operator
  receivers: Receivers
  files: WatchFiles
  line: WatchLine
  accounts: readonly Account[]
  slots: number
}

/** One account that asks, and another one that must not notice. */
export type Plainly = Asking & { own: PlainSession; other: PlainSession; account: Account }
