import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { NoisySound } from './noise-remover.ts'
import { voicePath } from './voice-gains.ts'
import type { CleanedSound, NoiseAnswer, NoiseRequest } from './noise-thread.ts'

type NoisyRecording = {
  /** A file of samples inside the job folder. */
  readonly path: string
  /** In samples: the noise of each clip is learnt separately. */
  readonly clipEnds: readonly number[]
  /** How its stretches are treated, if the recording was analysed before. */
  readonly known?: NoisySound['known']
  readonly onHeard: (seconds: number) => void
}

/** Learns the noise of a sound while that is decoded into its file, and removes it afterwards. */
export type HeardNoise = {
  /** Call this when the file has grown. */
  grown(): void
  /** The file is complete: removes the noise from it, and returns measurements of the result. */
  reduce(): Promise<CleanedSound>
  /** Resolves when nothing reads or writes the file any more; what was learnt about it is gone then. */
  close(): Promise<void>
}

export function hearNoise({ folder, signal }: ToolContext, recording: NoisyRecording): HeardNoise {
  const sound: NoisySound = {
    sound: path.join(folder, recording.path),
    voiceGains: path.join(folder, voicePath),
    clipEnds: recording.clipEnds,
    known: recording.known,
  }
  const worker = new Worker(new URL('./noise-thread.ts', import.meta.url), {
    name: 'noise',
    workerData: sound,
  })
  const say = (request: NoiseRequest): void => worker.postMessage(request)
  const stop = (): void => void worker.terminate()
  const cleaned = answerOf(worker, recording.onHeard).finally(() =>
    signal.removeEventListener('abort', stop),
  )
  // `reduce` reports the failure.
  cleaned.catch(() => undefined)
  signal.addEventListener('abort', stop)
  return {
    grown: () => say('grown'),
    async reduce() {
      signal.throwIfAborted()
      say('whole')
      return cleaned.catch((error: unknown) => {
        signal.throwIfAborted()
        throw error
      })
    },
    async close() {
      await worker.terminate()
      await rm(sound.voiceGains, { force: true })
    },
  }
}

async function answerOf(worker: Worker, onHeard: (seconds: number) => void): Promise<CleanedSound> {
  return new Promise((resolve, reject) => {
    worker.on('message', (answer: NoiseAnswer) => {
      if (answer.type === 'heard') onHeard(answer.seconds)
      else resolve(answer)
    })
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`The noise thread ended with ${code}`)))
  })
}
