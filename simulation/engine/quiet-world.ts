import { Chance } from './chance.ts'
import { NoHistory } from './history.ts'
import { here, type Life, type Work } from './life.ts'
import { World, type Ways } from './world.ts'

/**
 * A world in which nothing goes wrong and nothing is written down, for days with millions of events. Delays are drawn one after
 * another: no event is ever left out, so none needs a key of its own.
 */
export class QuietWorld extends World {
  readonly #ways: Chance
  override readonly doubleTicks = 0
  /** How often the platform was called. */
  asked = 0

  constructor({ seed, startsAt }: { seed: number; startsAt: number }) {
    super({ seed, startsAt, weather: [], history: new NoHistory() })
    this.#ways = new Chance(seed, 'ways')
  }

  override draw(): number {
    return this.#ways.next()
  }

  override work(life: Life, kind: string): Work {
    const used = { statements: 0, subrequests: 0 }
    return {
      life,
      name: kind,
      chance: this.#ways,
      asked: 0,
      changes: new Map<string, number>(),
      behind: 0,
      used,
    }
  }

  override async ask<Value>(
    what: string,
    act: () => Promise<Value> | Value,
    { ms = 8 }: Ways,
  ): Promise<Value> {
    const { life, name } = here()
    if (life.isDead) return new Promise<never>(() => undefined)
    this.asked++
    life.pending++
    const answered = Promise.withResolvers<Value>()
    const back = (settle: () => void): void => {
      const goOn = (): void => {
        life.pending--
        life.reach(settle)
      }
      this.loop.in(this.#wayMs(ms), goOn, name)
    }
    const arrive = async (): Promise<void> => {
      try {
        const value = await act()
        back(() => answered.resolve(value))
      } catch (error) {
        back(() => answered.reject(error))
      }
    }
    this.loop.in(this.#wayMs(ms), () => void arrive(), what)
    return answered.promise
  }

  #wayMs(ms: number): number {
    return ms * (0.2 + this.#ways.next())
  }
}
