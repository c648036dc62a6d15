import type { MessagePort } from 'node:worker_threads'
import { stackOf } from '../errors/log.ts'
import type { ModelLink, ModelQuestion, Numbered, OnShare, Answered } from './model-thread.ts'
import type { Spent } from './turns.ts'

/** The tasks of a thread with models, with their questions and answers. */
type Works = Readonly<Record<string, { readonly question: unknown; readonly answer: unknown }>>

export type TaskRequest<Work extends Works> = Numbered & {
  readonly task: keyof Work
  readonly question: unknown
}

type TaskFault = {
  readonly kind: 'failed' | 'canceled' | 'timed-out'
  readonly message: string
  readonly stack: string
}
type TaskReply = Answered & ({ readonly answer: unknown } | { readonly fault: TaskFault })

/** Why a thread has not answered. Its cause is the error in the thread, for logs. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  readonly kind: TaskFault['kind']

  constructor({ kind, message, stack }: TaskFault) {
    super(message, { cause: stack })
    this.kind = kind
  }
}

export type TaskLink = ModelLink<TaskReply>

/** `onShare` is called with the share that is done, if the thread tells that. */
type AskedTask<Task, Question> = {
  readonly task: Task
  readonly question: Question
  readonly onShare?: OnShare | undefined
}

/** Asks a thread; rejects with a `NoAnswer`. `withdrawal` is the message that ends the task early, if there is one. */
export function askFor<Work extends Works, T extends keyof Work>(
  link: TaskLink,
  { task, question, onShare }: AskedTask<T, Work[T]['question']>,
  withdrawal?: (id: number) => Numbered,
): ModelQuestion<Work[T]['answer']> {
  const request = (id: number): TaskRequest<Work> => ({ id, task, question })
  const asked = link.ask(request, withdrawal, onShare)
  const answer = asked.answer.then((reply): Work[T]['answer'] => {
    if ('fault' in reply) throw new NoAnswer(reply.fault)
    return reply.answer
  })
  return { ...asked, answer }
}

/** How a thread does each of its tasks, with what helps with all of them. */
export type TaskHandlers<Work extends Works, Help extends readonly unknown[] = []> = {
  readonly [T in keyof Work]: (
    question: Work[T]['question'],
    ...help: Help
  ) => Promise<Work[T]['answer']>
}

type Answering<Help> = Spent & {
  readonly help: Help
  readonly kindOf: (error: unknown) => TaskFault['kind']
}

/** Does a task and answers. `kindOf` tells why it failed, and `spentMs` how much processor time it took. */
export async function answerTask<Work extends Works, Help extends readonly unknown[]>(
  port: MessagePort,
  handlers: TaskHandlers<Work, Help>,
  { id, task, question }: TaskRequest<Work>,
  { help, kindOf, spentMs }: Answering<Help>,
): Promise<void> {
  const reply = await handlers[task](question, ...help).then(
    (answer) => ({ answer }),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      return { fault: { kind: kindOf(error), message, stack: stackOf(error) } }
    },
  )
  port.postMessage({ id, ...reply, processorMs: spentMs() } satisfies TaskReply)
}
