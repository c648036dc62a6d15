import { openModelThread, type OnShare, type OpenModel } from '../../models/model-thread.ts'
import { askFor, type TaskLink } from '../../models/model-tasks.ts'
import type { VoiceActivity } from '../../sound/pauses/voice-activity.ts'
import type { SpeechNote, SpeechWork, ThreadSettings } from './thread-messages.ts'

type AskThread<T extends keyof SpeechWork> = (
  question: SpeechWork[T]['question'],
  signal: AbortSignal,
  onShare?: OnShare,
) => Promise<SpeechWork[T]['answer']>

/** A file to analyse, which may still be growing. */
type HeardFile = {
  readonly answer: Promise<VoiceActivity>
  grown(isWhole: boolean): void
}

const withdrawal = (id: number): SpeechNote => ({ id, note: 'cancel' })

/** The thread with the speech models. A task gets an answer even if it was canceled, once the thread no longer reads the file. */
export class SpeechThread {
  readonly #thread: TaskLink

  constructor(settings: ThreadSettings, open: OpenModel = openModelThread) {
    const entry = new URL('./speech-thread.ts', import.meta.url)
    this.#thread = open('speech', entry, { workerData: settings })
  }

  /** Loads the recogniser now, and tells the mark of its model. */
  async prepare(): Promise<string> {
    return askFor<SpeechWork, 'prepare'>(this.#thread, { task: 'prepare', question: undefined })
      .answer
  }

  readonly transcribe = this.#asking('transcribe')
  /** Finds where somebody speaks in a range: the first of the steps that lead to the same transcript. */
  readonly activity = this.#asking('activity')
  readonly blocks = this.#asking('blocks')
  readonly spoken = this.#asking('spoken')
  readonly divide = this.#asking('divide')
  /** Transcribes some of the pieces. */
  readonly hear = this.#asking('hear')
  /** Makes the transcript from the texts of all pieces. */
  readonly conclude = this.#asking('conclude')
  /** Tells voices apart. */
  readonly voices = this.#asking('voices')

  listen(soundPath: string, signal: AbortSignal): HeardFile {
    const { id, answer, tell } = this.#ask('listen', { soundPath }, signal)
    return {
      answer,
      grown: (isWhole) => {
        const note: SpeechNote = { id, note: isWhole ? 'whole' : 'grown' }
        tell(note)
      },
    }
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  #asking<T extends keyof SpeechWork>(task: T): AskThread<T> {
    return async (question, signal, onShare) => {
      signal.throwIfAborted()
      return this.#ask(task, question, signal, onShare).answer
    }
  }

  #ask<T extends keyof SpeechWork>(
    task: T,
    question: SpeechWork[T]['question'],
    signal: AbortSignal,
    onShare?: OnShare,
  ) {
    const asked = { task, question, onShare }
    const { id, answer, tell } = askFor<SpeechWork, T>(this.#thread, asked, withdrawal)
    const cancel = (): void => tell(withdrawal(id))
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    return {
      ...{ id, tell },
      answer: answer.finally(() => {
        signal.removeEventListener('abort', cancel)
        signal.throwIfAborted()
      }),
    }
  }
}
