import { availableParallelism } from 'node:os'
import path from 'node:path'
import { atMost } from '../containers/errors/at-most.ts'
import { keepCase, readCase } from './kept-case.ts'
import { makeCase, type FuzzCase } from './make-case.ts'
import type { Outcome } from './outcome.ts'
import { makeSeeds, type Seeds } from './seeds.ts'
import { keptIn, type FuzzSettings } from './settings.ts'
import { JobRunner } from './try-job.ts'
import { tryPlan } from './try-plan.ts'

type Say = (line: string) => void
type Count = {
  cases: number
  jobs: number
  succeeded: number
  refused: Map<string, number>
  faults: number
}

/** Returns 0 if every case ended as it must, 1 if one did not. */
export async function runCampaign(
  settings: FuzzSettings,
  stop: AbortSignal,
  say: Say,
): Promise<number> {
  const seeds = await makeSeeds()
  const count: Count = { cases: 0, jobs: 0, succeeded: 0, refused: new Map(), faults: 0 }
  const campaign = new Campaign(settings, seeds, say, count)
  const startedAt = performance.now()
  try {
    await campaign.run(stop)
  } catch (error) {
    if (!stop.aborted) throw error
  } finally {
    await campaign.close()
  }
  say(closingLine(settings, count, (performance.now() - startedAt) / 1000))
  return count.faults === 0 ? 0 : 1
}

const progressEveryMs = 10_000

class Campaign {
  #runner: Promise<JobRunner> | undefined
  #saidAt = performance.now()
  /** Runs one whole job at a time, so that its effect on the next one can be seen. */
  #jobs: Promise<unknown> = Promise.resolve()
  readonly #settings: FuzzSettings
  readonly #seeds: Seeds
  readonly #say: Say
  readonly #count: Count

  constructor(settings: FuzzSettings, seeds: Seeds, say: Say, count: Count) {
    this.#settings = settings
    this.#seeds = seeds
    this.#say = say
    this.#count = count
  }

  async run(stop: AbortSignal): Promise<void> {
    const { seed, only, replay, minutes, cases, jobEvery } = this.#settings
    if (replay !== undefined) {
      const { fuzzCase, isJob } = await readCase(replay)
      return this.#try(fuzzCase, { isJob, number: 0 }, stop)
    }
    const one = async (number: number) =>
      this.#try(
        makeCase(this.#seeds, seed, number),
        { isJob: number % jobEvery === 0, number },
        stop,
      )
    if (only !== undefined) return one(only)
    const endAt = performance.now() + minutes * 60_000
    let next = 0
    // Measuring mostly waits for programs, so several cases run at once.
    const lanes = Array.from({ length: availableParallelism() }, (_, i) => i)
    await atMost(lanes.length, lanes, stop, async () => {
      while (next < cases && performance.now() < endAt) await one(next++)
    })
  }

  async close(): Promise<void> {
    // What kept it from starting was thrown where it was wanted.
    const runner = await this.#runner?.catch(() => undefined)
    await runner?.stop()
  }

  async #try(
    fuzzCase: FuzzCase,
    { isJob, number }: { isJob: boolean; number: number },
    stop: AbortSignal,
  ) {
    stop.throwIfAborted()
    const outcome = isJob ? await this.#job(fuzzCase) : await tryPlan(fuzzCase, stop)
    // Ctrl-C ends the media worker too, and no case is to blame for that.
    stop.throwIfAborted()
    const count = this.#count
    count.cases += 1
    if (isJob) count.jobs += 1
    if (outcome.kind === 'succeeded') count.succeeded += 1
    if (outcome.kind === 'refused') {
      count.refused.set(outcome.reason, (count.refused.get(outcome.reason) ?? 0) + 1)
    }
    if (outcome.kind === 'fault') await this.#fault(fuzzCase, outcome, { isJob, number })
    if (performance.now() - this.#saidAt < progressEveryMs) return
    this.#saidAt = performance.now()
    this.#say(`${count.cases} cases, ${count.jobs} whole jobs, ${count.faults} faults`)
  }

  async #job(fuzzCase: FuzzCase): Promise<Outcome> {
    const [video] = this.#seeds.videos
    const sound = {
      name: 'sound',
      ...{ kind: video.kind, source: video.bytes, element: undefined, options: {} },
    }
    const turn = this.#jobs.then(async () => {
      this.#runner ??= JobRunner.start()
      const outcome = await (await this.#runner).try(fuzzCase, sound)
      // A media worker that hangs or has died is useless for the next case.
      if (outcome.kind === 'fault') {
        await this.close()
        this.#runner = undefined
      }
      return outcome
    })
    this.#jobs = turn.catch(() => undefined)
    return turn
  }

  async #fault(
    fuzzCase: FuzzCase,
    { what }: Extract<Outcome, { kind: 'fault' }>,
    { isJob, number }: { isJob: boolean; number: number },
  ) {
    this.#count.faults += 1
    const { seed, replay } = this.#settings
    const folder = replay ?? path.join(keptIn, `seed-${seed}-case-${number}`)
    if (replay === undefined) await keepCase(folder, fuzzCase, { what, isJob })
    this.#say(`FAULT in case ${number} (${fuzzCase.name}): ${what}`)
    this.#say(`  kept in ${folder}; again: npm run fuzz -- --replay ${folder}`)
  }
}

function closingLine({ seed }: FuzzSettings, count: Count, seconds: number): string {
  const refused = [...count.refused].map(([reason, times]) => `${times} ${reason}`).join(', ')
  const total = [...count.refused.values()].reduce((sum, times) => sum + times, 0)
  return `Fuzz: seed ${seed}, ${Math.round(seconds)} s, ${count.cases} cases (${count.jobs} whole jobs): ${count.succeeded} succeeded, ${total} refused${refused && ` (${refused})`}, ${count.faults} faults`
}
