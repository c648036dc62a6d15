import { openModelThread, type ModelLink, type OpenModel } from '../../models/model-thread.ts'
import { ModelFault } from './model-fault.ts'
import type {
  ConcludeRequest,
  HeardPieces,
  HearRequest,
  Listened,
  NamedSound,
  Surveyed,
  ToldVoices,
  ThreadAnswer,
  SpeechRequest,
  ThreadSettings,
  Transcribed,
  Unanswered,
  VoicesRequest,
} from './thread-messages.ts'

/** A request to the thread. It gets an answer even if it was canceled, once the thread no longer reads the file. */
type SpeechQuestion<Answer> = {
  readonly answer: Promise<Answer | Unanswered>
  /** Tells that the file has grown. */
  grown(isWhole: boolean): void
}

type WithoutId<R> = R extends SpeechRequest ? Omit<R, 'id'> : never
type Question = Exclude<WithoutId<SpeechRequest>, { type: 'cancel' | 'grown' | 'prepare' }>

/** The thread with the speech models. */
export class SpeechThread {
  readonly #thread: ModelLink<ThreadAnswer>

  constructor(settings: ThreadSettings, open: OpenModel = openModelThread) {
    const entry = new URL('./speech-thread.ts', import.meta.url)
    this.#thread = open('speech', entry, { workerData: settings })
  }

  /** Loads the recogniser now, and tells the mark of its model; rejects with a `ModelFault` if that cannot be done. */
  async prepare(): Promise<string> {
    const { answer } = this.#thread.ask((id): SpeechRequest => ({ type: 'prepare', id }))
    const given = await answer
    if (given.type === 'prepared') return given.model
    const { modelFault, cause } = given.type === 'failed' ? given : {}
    throw new ModelFault(modelFault ?? 'the model cannot be loaded', { cause })
  }

  async transcribe(asked: NamedSound, signal: AbortSignal): Promise<Transcribed | Unanswered> {
    signal.throwIfAborted()
    return this.#ask<Transcribed>({ type: 'transcribe', ...asked }, signal).answer
  }

  /** Finds where somebody speaks: the first of three steps that lead to the same transcript. */
  async survey(asked: NamedSound, signal: AbortSignal): Promise<Surveyed | Unanswered> {
    signal.throwIfAborted()
    return this.#ask<Surveyed>({ type: 'survey', ...asked }, signal).answer
  }

  /** Writes down some of what a survey has found. */
  async hear(request: HearRequest, signal: AbortSignal): Promise<HeardPieces | Unanswered> {
    signal.throwIfAborted()
    return this.#ask<HeardPieces>({ type: 'hear', ...request }, signal).answer
  }

  /** Makes the transcript of what was written down. */
  async conclude(request: ConcludeRequest, signal: AbortSignal): Promise<Transcribed | Unanswered> {
    signal.throwIfAborted()
    return this.#ask<Transcribed>({ type: 'conclude', ...request }, signal).answer
  }

  /** Tells voices apart. */
  async voices(request: VoicesRequest, signal: AbortSignal): Promise<ToldVoices | Unanswered> {
    signal.throwIfAborted()
    return this.#ask<ToldVoices>({ type: 'voices', ...request }, signal).answer
  }

  /** The file may still be growing. */
  listen(soundPath: string, signal: AbortSignal): SpeechQuestion<Listened> {
    return this.#ask<Listened>({ type: 'listen', soundPath }, signal)
  }

  #ask<Answer>(question: Question, signal: AbortSignal): SpeechQuestion<Answer> {
    const withdrawal = (id: number): SpeechRequest => ({ type: 'cancel', id })
    const { id, answer, tell } = this.#thread.ask(
      (number): SpeechRequest => ({ ...question, id: number }),
      withdrawal,
    )
    const say = (message: SpeechRequest): void => tell(message)
    const cancel = (): void => say(withdrawal(id))
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    const settled = answer.finally(() => signal.removeEventListener('abort', cancel))
    return {
      // The thread answers with the type of the request.
      answer: settled as Promise<Answer | Unanswered>,
      grown: (isWhole) => say({ type: 'grown', id, isWhole }),
    }
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }
}
