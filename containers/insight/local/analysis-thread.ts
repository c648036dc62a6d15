import type { WorkerOptions } from 'node:worker_threads'
import { untilAborted } from '../../errors/until-aborted.ts'
import { askFor, type TaskLink } from '../../models/model-tasks.ts'
import { openModelThread, type OpenModel } from '../../models/model-thread.ts'
import type { Coordinates } from '../../timeline/coordinates.ts'
import type { Speech } from '../../timeline/speech.ts'
import type { SeenFace } from '../faces/face-boxes.ts'
import type { FaceLook } from '../faces/face-model.ts'
import type { RgbPicture, Sight } from '../objects/object-model.ts'
import type { SpeechDescription } from '../words/describe-speech.ts'

/** Using more memory than this is a fault; the model itself lies outside the heap. */
const resourceLimits = { maxOldGenerationSizeMb: 512 }

/**
 * The thread that examines pictures and text, so that reports and health checks never wait for it. It starts with the
 * first question, answers one after the other, and keeps running; if it dies, the next question starts a new one.
 */
export class AnalysisThread {
  readonly #thread: TaskLink

  constructor(options: Pick<WorkerOptions, 'execArgv'> = {}, open: OpenModel = openModelThread) {
    const entry = new URL('./thread-entry.ts', import.meta.url)
    this.#thread = open('analysis', entry, { ...options, resourceLimits })
  }

  async ask<T extends keyof AnalysisWork>(
    task: T,
    question: AnalysisWork[T]['question'],
    signal: AbortSignal,
  ): Promise<AnalysisWork[T]['answer']> {
    signal.throwIfAborted()
    const { answer } = askFor<AnalysisWork, T>(this.#thread, { task, question })
    return untilAborted(answer, signal)
  }

  /** Ends the thread; open questions fail. */
  async close(): Promise<void> {
    await this.#thread.close()
  }
}

/** The questions that the thread answers. */
export type AnalysisWork = {
  lookAt: { question: RgbPicture; answer: Sight }
  findFaces: { question: FaceLook; answer: SeenFace[] }
  describeSpeech: { question: Speech; answer: SpeechDescription }
  namePlace: { question: Coordinates; answer: string | undefined }
}
