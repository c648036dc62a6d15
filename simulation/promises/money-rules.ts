import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

const triggers = `
  CREATE TEMP TRIGGER tell_budget_news AFTER UPDATE OF budget_told ON main.accounts WHEN NEW.budget_told IS NOT NULL
  BEGIN SELECT tell('budget news', NEW.id, OLD.budget_told, NEW.budget_told); END;
`

/** Each warning about a budget is sent once, even while the database fails. */
export class MoneyRules {
  readonly #world: World
  /** The month and the share of each warning. */
  readonly levels: string[] = []

  constructor(world: World, database: Database) {
    this.#world = world
    database.watch(triggers)
  }

  /** Called for each committed change. */
  hear(what: string, accountId: string, before: string, after: string): void {
    if (what !== 'budget news') return
    this.levels.push(after)
    if (before !== 'null' && before >= after)
      this.#world.break(`${accountId} was told ${before} of its budget, and is told ${after}`)
  }
}
