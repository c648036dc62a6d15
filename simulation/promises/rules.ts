import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'
import { RowModel } from './row-model.ts'
import { RowRules } from './row-rules.ts'
import { StateRules } from './state-rules.ts'
import { TermRules } from './term-rules.ts'

/** A rule that learns of changes of rows by triggers of its own. */
export type Rules = {
  hear(what: string, one: string, two: string, three: string, four: string): void
}

/** `isDeleting`: whether a customer has asked for the deletion of this video. */
export function allRules(
  world: World,
  database: Database,
  isDeleting: (videoId: string) => boolean,
): readonly Rules[] {
  return [
    new RowModel(world, database),
    new RowRules(world, database),
    new StateRules(world, database),
    new TermRules(world, database, isDeleting),
  ]
}
