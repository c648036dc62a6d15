import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { withSoundFile } from './sound-file.ts'
import { loadSpeechModels } from './speech-models.ts'
import type { ThreadAnswer, ThreadRequest, ThreadSettings } from './thread-messages.ts'
import { transcribeSound } from './transcribe-sound.ts'
import { StepTimeout, TurnQueue } from './turns.ts'

/** Entry of the thread in which the models live: a step of theirs takes longer than the job's reports may wait. */
if (parentPort) listen(parentPort, workerData as ThreadSettings)

function listen(port: MessagePort, { modelDir, stepTimeoutMs }: ThreadSettings): void {
  const models = loadSpeechModels(modelDir)
  // Who asks hears of it; without this the thread would die of it first.
  models.catch(() => undefined)
  const queue = new TurnQueue()
  const running = new Map<number, AbortController>()

  const transcribe = async (id: number, soundPath: string): Promise<ThreadAnswer> => {
    const controller = new AbortController()
    running.set(id, controller)
    const { signal } = controller
    try {
      const loaded = await models
      const transcript = await withSoundFile(soundPath, (sound) =>
        transcribeSound(loaded, sound, queue.turnsFor(signal, stepTimeoutMs)),
      )
      return { type: 'done', id, transcript }
    } catch (error) {
      if (signal.aborted) return { type: 'canceled', id }
      if (error instanceof StepTimeout) return { type: 'timed-out', id }
      return { type: 'failed', id, cause: describe(error) }
    } finally {
      running.delete(id)
    }
  }

  port.on('message', (request: ThreadRequest) => {
    if (request.type === 'cancel') running.get(request.id)?.abort()
    else void transcribe(request.id, request.soundPath).then((answer) => port.postMessage(answer))
  })
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
