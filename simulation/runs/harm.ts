import type { Container, Containers } from '../actors/media/containers.ts'
import type { MediaWorker } from '../actors/media/media-worker.ts'
import type { World } from '../engine/world.ts'
import type { Deployment } from '../platform/deployment.ts'

const minuteMs = 60_000
/** The chance in each minute of calm hours that an object is moved. */
const quietMoves = 0.3
/** So much earlier others know that the clocks are about to step. */
const stepsInMs = 2_000

type Parts = {
  world: World
  deployment: Deployment
  workers: readonly MediaWorker[]
  containers: Containers | undefined
  isAtWork: (claim: string) => boolean
  /** Told that the clocks are about to step, and after how many milliseconds. */
  onStep: (inMs: number) => void
}

/** Harms machines: any of them once a minute, and those at work on a job during their work. */
export class Harm {
  readonly #parts: Parts
  isOver = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  ofMinute(): void {
    if (this.isOver) return this.#moveQuietly()
    const { deployment, workers, world } = this.#parts
    const { faults, now } = world
    const minute = Math.floor(now / minuteMs)
    deployment.loseObjects(`minute ${minute}`)
    if (faults.strikes('rollout', `minute ${minute}`)) deployment.rollOut()
    if (faults.strikes('clock steps', `minute ${minute}`)) {
      this.#stepClocks(`minute ${minute}`)
    }
    for (const worker of workers) this.#disturbWorker(worker, `${worker.name} ${minute}`)
  }

  /** Windows and leases that began by the clock before are over by the one after, or seem to last. */
  #stepClocks(key: string): void {
    const { deployment, onStep, world } = this.#parts
    const degree = world.faults.degree('clock steps', key)
    onStep(stepsInMs)
    world.loop.in(stepsInMs, () => {
      // Some steps are shorter than a window in which requests are counted.
      const mostMs = world.draw(`step of ${key}`) < 0.3 ? minuteMs : 10 * minuteMs
      deployment.stepClock(Math.round((degree - 0.5) * 2 * mostMs))
      // If the clock is put back, the lease of a machine that dies at that moment seems to last.
      if (degree < 0.25) this.#disturbFirst(`clock of ${key}`)
    })
  }

  /** Moves objects that wait for nothing, which may happen at any time without being noticed. */
  #moveQuietly(): void {
    const { deployment, world } = this.#parts
    const { DISPATCHER, JOB_RUNNER, WEBHOOK_ENDPOINT } = deployment.objects
    for (const { cells } of [DISPATCHER, JOB_RUNNER, WEBHOOK_ENDPOINT])
      for (const [name, cell] of cells) {
        if (!cell.isAwake || cell.isBusy) continue
        if (world.draw(`moves ${name} at ${world.now}`) < quietMoves) cell.die()
      }
  }

  /** Called when work begins: its media worker may come to harm during it. */
  ofWork(claim: string, worker: string): void {
    const { containers, isAtWork, workers, world } = this.#parts
    world.loop.in(60_000 * world.draw(`harm of ${claim}`) ** 2, () => {
      if (this.isOver || !isAtWork(claim)) return
      const found = workers.find(({ name }) => name === worker)
      if (found) this.#disturbWorker(found, claim)
      const container = containers?.running.find((one) => one.worker?.name === worker)
      if (container) this.#disturbContainer(container, claim)
    })
  }

  #disturbFirst(key: string): void {
    const { containers, workers } = this.#parts
    const [worker] = workers
    if (worker) this.kill(worker, key)
    containers?.running[0]?.stop()
  }

  kill(worker: MediaWorker, key: string): void {
    const { loop, now } = this.#parts.world
    worker.die()
    loop.in(this.#away('death', `${key} ${now}`), () => worker.restart())
  }

  #disturbContainer(container: Container, key: string): void {
    const { faults } = this.#parts.world
    const { worker } = container
    if (faults.strikes('media worker dies', key)) container.stop()
    else if (faults.strikes('media worker freezes', key)) worker?.freeze(this.#away('freeze', key))
    else if (faults.strikes('media worker shut down', key)) {
      void worker?.shutDown().then(() => container.stop())
    }
  }

  #disturbWorker(worker: MediaWorker, key: string): void {
    const { faults, loop } = this.#parts.world
    if (!worker.isUp) return
    if (faults.strikes('media worker dies', key)) this.kill(worker, key)
    else if (faults.strikes('media worker freezes', key)) worker.freeze(this.#away('freeze', key))
    else if (faults.strikes('media worker shut down', key)) {
      void worker.shutDown().then(() => loop.in(1_000, () => worker.restart()))
    } else if (faults.strikes('media worker of another version', key)) {
      worker.refuseFor(this.#away('version', key))
    }
  }

  #away(what: string, key: string): number {
    return 1_000 + 1_200_000 * this.#parts.world.draw(`${what} ${key}`) ** 3
  }
}
