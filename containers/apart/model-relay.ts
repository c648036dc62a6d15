import type {
  Answered,
  ModelQuestion,
  ModelLink,
  Numbered,
  OnShare,
  OpenModel,
} from '../models/model-thread.ts'
import { errorOf, failureOf, type FromProcess, type ToProcess } from './messages.ts'

type FromModels = Extract<FromProcess<never, never>, { thread: string }>
type ModelAnswer = Extract<ToProcess<never, never>, { type: 'model-answer' }>
type ModelShare = Extract<ToProcess<never, never>, { type: 'model-share' }>

type RelayedTask = {
  readonly question: (id: number) => Numbered
  readonly withdrawal: ((id: number) => Numbered) | undefined
  readonly onShare: OnShare | undefined
}

/**
 * Asks the threads of the media worker from another process, so that each model is in memory once for all jobs. The
 * threads get fixed amounts of numbers, never a file of a customer.
 */
export class ModelRelay {
  readonly #send: (message: FromModels) => void
  readonly #waiting = new Map<
    string,
    PromiseWithResolvers<Answered> & { onShare: OnShare | undefined }
  >()
  #lastId = 0
  #spentMs = 0

  constructor(send: (message: FromModels) => void) {
    this.#send = send
  }

  readonly open: OpenModel = <Answer extends Answered>(thread: string): ModelLink<Answer> => ({
    ask: (question, withdrawal, onShare) =>
      this.#ask<Answer>(thread, { question, withdrawal, onShare }),
    close: async () => this.#send({ type: 'model-close', thread }),
  })

  /** The processor time that the threads have spent on the answers so far, in milliseconds. */
  readonly spentMs = (): number => this.#spentMs

  hear(said: ModelAnswer | ModelShare): void {
    const waiting = this.#waiting.get(`${said.thread} ${said.id}`)
    if (said.type === 'model-share') {
      waiting?.onShare?.(said.share)
      return
    }
    const { answer } = said
    if ('id' in answer) {
      this.#spentMs += answer.processorMs
      waiting?.resolve(answer)
    } else {
      waiting?.reject(errorOf(answer))
    }
  }

  #ask<Answer extends Answered>(
    thread: string,
    { question, withdrawal, onShare }: RelayedTask,
  ): ModelQuestion<Answer> {
    const id = ++this.#lastId
    const key = `${thread} ${id}`
    const waiting = { ...Promise.withResolvers<Answered>(), onShare }
    this.#waiting.set(key, waiting)
    this.#send({
      type: 'model-ask',
      thread,
      question: question(id),
      withdrawal: withdrawal?.(id),
    })
    return {
      id,
      // A thread's answer has the type of its question.
      answer: waiting.promise.finally(() => this.#waiting.delete(key)) as Promise<Answer>,
      tell: (message) => this.#send({ type: 'model-tell', thread, message }),
    }
  }
}

export type LinkedModels = ReadonlyMap<string, ModelLink<Answered>>

type Open = { readonly asked: ModelQuestion<Answered>; readonly withdrawal: Numbered | undefined }

/** The other side: passes the questions of one process to the threads, and withdraws those that it leaves open. */
export class ModelDesk {
  readonly #models: LinkedModels
  readonly #reply: (message: ModelAnswer | ModelShare) => void
  readonly #open = new Map<string, Open>()

  constructor(models: LinkedModels, reply: (message: ModelAnswer | ModelShare) => void) {
    this.#models = models
    this.#reply = reply
  }

  hear(message: FromModels): void {
    const { thread } = message
    const model = this.#models.get(thread)
    if (!model) throw new Error(`No thread with models is called ${thread}`)
    switch (message.type) {
      case 'model-ask':
        return this.#ask(model, message)
      case 'model-tell': {
        const open = this.#open.get(`${thread} ${message.message.id}`)
        open?.asked.tell({ ...message.message, id: open.asked.id })
        return
      }
      case 'model-close':
        void model.close()
    }
  }

  /** The process does not need any more answers. */
  withdrawAll(): void {
    for (const { asked, withdrawal } of this.#open.values()) {
      if (withdrawal) asked.tell({ ...withdrawal, id: asked.id })
    }
    this.#open.clear()
  }

  #ask(
    model: ModelLink<Answered>,
    { thread, question, withdrawal }: Extract<FromModels, { type: 'model-ask' }>,
  ): void {
    const key = `${thread} ${question.id}`
    const onShare = (share: number): void => {
      if (this.#open.has(key)) this.#reply({ type: 'model-share', thread, id: question.id, share })
    }
    const asked = model.ask((id) => ({ ...question, id }), undefined, onShare)
    this.#open.set(key, { asked, withdrawal })
    const answer = (given: ModelAnswer['answer']): void => {
      if (!this.#open.delete(key)) return
      this.#reply({ type: 'model-answer', thread, id: question.id, answer: given })
    }
    asked.answer.then(
      (given) => answer({ ...given, id: question.id }),
      (error: unknown) => answer(failureOf(error)),
    )
  }
}
