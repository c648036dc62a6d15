import { flushCompileCache } from 'node:module'
import { JobStop, toJobError } from '../errors/job-error.ts'
import { ModelRelay } from './model-relay.ts'
import { failureOf, type FromProcess, type WorkStep, type ToProcess } from './messages.ts'

/** The means by which a task deals with the process that gave it. */
export type TaskHands<Told> = {
  /** The folder of the task, which is also the working directory. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly tell: (told: Told) => void
  /** Does a part of the work, and names it. */
  readonly during: WorkInStep
}

export type WorkInStep = <Value>(
  step: WorkStep,
  work: () => Promise<Value> | Value,
) => Promise<Value>

/** The threads of the media worker, and the processor time that they have spent for this process. */
export type ReachedModels = Pick<ModelRelay, 'open' | 'spentMs'>

type SendMessage<Told, Result> = (message: FromProcess<Told, Result>) => void
type DoWork<Task, Told, Result> = (task: Task, hands: TaskHands<Told>) => Promise<Result>

/** How often a process shows that its thread is free. */
const aliveMs = 1_000

/**
 * The side of the process that does the work: `setUp` is called once, its result for each task. The process ends
 * together with the one that started it.
 */
export function serveWork<Setup, Task, Told, Result>(
  setUp: (setup: Setup, models: ReachedModels) => DoWork<Task, Told, Result>,
): void {
  const send: SendMessage<Told, Result> = (message) => {
    process.send?.(message)
  }
  const models = new ModelRelay(send)
  let work: DoWork<Task, Told, Result> | undefined
  let controller = new AbortController()
  process.on('message', (message: ToProcess<Setup, Task>) => {
    switch (message.type) {
      case 'set-up':
        work = setUp(message.setup, models)
        send({ type: 'alive' })
        return
      case 'work':
        if (!work) throw new Error('A task came before the setup')
        controller = new AbortController()
        void doTask(work, message, { signal: controller.signal, send })
        return
      case 'stop':
        controller.abort(new JobStop(message.reason))
        return
      case 'model-answer':
      case 'model-share':
        models.hear(message)
    }
  })
  process.on('disconnect', () => process.exit())
  flushCompileCache()
}

async function doTask<Task, Told, Result>(
  work: DoWork<Task, Told, Result>,
  { task, folder }: { task: Task; folder: string },
  { signal, send }: { signal: AbortSignal; send: SendMessage<Told, Result> },
): Promise<void> {
  const alive = setInterval(() => send({ type: 'alive' }), aliveMs)
  try {
    // Processes that a killed media worker leaves behind are found by their working folder.
    process.chdir(folder)
    const tell = (told: Told): void => send({ type: 'told', told })
    const result = await work(task, { folder, signal, tell, during: stepsOf(send) })
    send({ type: 'done', result })
  } catch (error) {
    const known = error instanceof JobStop ? error : toJobError(error)
    send({ type: 'failed', failure: failureOf(known) })
  } finally {
    clearInterval(alive)
    process.chdir('/')
  }
}

function stepsOf(send: (message: FromProcess<never, never>) => void): WorkInStep {
  let steps = 0
  return async (step, work) => {
    const id = ++steps
    send({ type: 'step', id, step })
    try {
      return await work()
    } finally {
      send({ type: 'step', id, step: 'over' })
    }
  }
}
