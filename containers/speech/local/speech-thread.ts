import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { detectActivity, pieceLength } from './detect-activity.ts'
import { ModelFault } from './model-fault.ts'
import { type Sound, type SoundFile, withGrowingFile, withSoundFile } from './sound-file.ts'
import { loadActivityModel } from './activity-model.ts'
import { loadSpeechModel } from './load-speech-model.ts'
import { markOfModel } from './model-mark.ts'
import type {
  HeardPieces,
  HearRequest,
  Listened,
  Prepared,
  Surveyed,
  ThreadAnswer,
  SpeechRequest,
  ThreadSettings,
  ToldVoices,
  Transcribed,
} from './thread-messages.ts'
import { concludeSound, hearPieces, surveySound, transcribeSound } from './transcribe-sound.ts'
import { StepTimeout, TurnQueue, type Turns } from './turns.ts'
import { tellVoices } from './voices/tell-voices.ts'
import { loadVoiceModel } from './voices/voice-model.ts'

/**
 * The entry of the thread that holds the models: one of their steps takes longer than the reports of a job can wait.
 */
if (parentPort) listenTo(parentPort, workerData as ThreadSettings)

/**
 * For half a minute of sound, which usually takes a third of a second. The timeout of the recogniser does not apply
 * here.
 */
const listenTimeoutMs = 60_000

type Running = { readonly controller: AbortController; readonly growth: Growth }
type Done = Prepared | Transcribed | Surveyed | HeardPieces | ToldVoices | Listened
type ThreadWork = (turns: Turns, growth: Growth) => Promise<Done>

function listenTo(port: MessagePort, { modelDir, stepTimeoutMs }: ThreadSettings): void {
  const models = modelsIn(modelDir)
  const queue = new TurnQueue()
  const running = new Map<number, Running>()

  const run = async (id: number, timeoutMs: number, work: ThreadWork): Promise<ThreadAnswer> => {
    const { controller, growth } = { controller: new AbortController(), growth: new Growth() }
    running.set(id, { controller, growth })
    const { signal } = controller
    try {
      return { id, ...(await work(queue.turnsFor(signal, timeoutMs), growth)) }
    } catch (error) {
      if (signal.aborted) return { type: 'canceled', id }
      if (error instanceof StepTimeout) return { type: 'timed-out', id }
      const failed = { type: 'failed', id, cause: describe(error) } as const
      return error instanceof ModelFault ? { ...failed, modelFault: error.message } : failed
    } finally {
      running.delete(id)
    }
  }

  port.on('message', (request: SpeechRequest) => {
    switch (request.type) {
      case 'cancel': {
        const canceled = running.get(request.id)
        canceled?.controller.abort()
        // Wakes the request if it waits for more data.
        return canceled?.growth.grown(true)
      }
      case 'grown':
        return running.get(request.id)?.growth.grown(request.isWhole)
      case 'prepare':
      case 'transcribe':
      case 'survey':
      case 'hear':
      case 'conclude':
      case 'voices':
      case 'listen':
        void run(
          request.id,
          request.type === 'listen' ? listenTimeoutMs : stepTimeoutMs,
          workOf(request, models),
        ).then((answer) => port.postMessage(answer))
    }
  })
}

type Models = ReturnType<typeof modelsIn>

/** Loads each model at the first request that needs it: finding pauses needs no recogniser. */
function modelsIn(modelDir: string | undefined) {
  const activity = once(loadActivityModel)
  return {
    activity,
    speech: once(async () => loadSpeechModel(modelDir)),
    mark: once(async () => markOfModel(modelDir)),
    voices: once(loadVoiceModel),
  }
}

type WorkRequest = Exclude<SpeechRequest, { type: 'cancel' | 'grown' }>

function workOf(request: WorkRequest, models: Models): ThreadWork {
  if (request.type === 'prepare') {
    return async () => {
      await models.speech()
      return { type: 'prepared', model: await models.mark() }
    }
  }
  const { soundPath } = request
  switch (request.type) {
    case 'transcribe':
      return async (turns) => {
        const loaded = await loadedOf(models)
        const transcript = await withSoundFile(soundPath, (sound) =>
          transcribeSound(loaded, { sound, turns, names: request.names }),
        )
        return { type: 'done', transcript }
      }
    case 'survey':
      return async (turns) => {
        const [loaded, model] = [await loadedOf(models), await models.mark()]
        return withSoundFile(soundPath, async (sound) => {
          const survey = await surveySound(loaded, { sound, turns, names: request.names })
          return { type: 'surveyed', survey, length: sound.length, model }
        })
      }
    case 'hear':
      return async (turns) => hearSome(models, request, turns)
    case 'conclude':
      return async (turns) => {
        const loaded = await loadedOf(models)
        const heard = { ...request.survey, written: request.written }
        const transcript = await withSoundFile(soundPath, (sound) =>
          concludeSound(loaded, { sound, turns }, heard),
        )
        return { type: 'done', transcript }
      }
    case 'voices':
      return async (turns) => {
        const model = await models.voices()
        const { stretches, count } = request
        const told = await withSoundFile(soundPath, (sound) =>
          tellVoices(model, { sound, stretches, turns }, count),
        )
        return { type: 'told', ...told }
      }
    case 'listen':
      return async (turns, growth) => {
        const model = await models.activity()
        const activity = await withGrowingFile(soundPath, async (sound) =>
          detectActivity(model, piecesAsTheyCome(sound, pieceLength, growth), turns),
        )
        return { type: 'listened', activity }
      }
  }
}

async function loadedOf({ activity, speech }: Models) {
  return { activity: await activity(), speech: await speech() }
}

async function hearSome(
  models: Models,
  { soundPath, model, from, length, ...asked }: HearRequest,
  turns: Turns,
): Promise<HeardPieces> {
  if ((await models.mark()) !== model) throw new Error('This media worker has another speech model')
  const loaded = await loadedOf(models)
  return withSoundFile(soundPath, async (excerpt) => {
    const read: Sound['read'] = async (first, end) => excerpt.read(first - from, end - from)
    const recording = { ...asked, sound: { length, read }, turns }
    return { type: 'heard', pieces: await hearPieces(loaded, recording) }
  })
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return async () => (loading ??= load())
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

type State = { readonly isWhole: boolean; readonly changed: PromiseWithResolvers<undefined> }

/** The state of a file that another process is writing. */
class Growth {
  #state: State = { isWhole: false, changed: Promise.withResolvers() }

  get state(): State {
    return this.#state
  }

  grown(isWhole: boolean): void {
    const { changed, isWhole: wasWhole } = this.#state
    this.#state = { isWhole: isWhole || wasWhole, changed: Promise.withResolvers() }
    changed.resolve(undefined)
  }
}

/** Yields the samples of a sound in pieces of this length, each as soon as it is complete; the last may be shorter. */
async function* piecesAsTheyCome(
  sound: SoundFile,
  pieceLength: number,
  growth: Growth,
): AsyncGenerator<Float32Array> {
  for (let from = 0; ; from += pieceLength) {
    const length = await lengthOf(sound, from + pieceLength, growth)
    if (from >= length) return
    yield await sound.read(from, Math.min(length, from + pieceLength))
  }
}

/** Waits until the sound has the wanted length, or is complete. */
async function lengthOf(sound: SoundFile, wanted: number, growth: Growth): Promise<number> {
  for (;;) {
    // Read the state before the length, so that a complete file is measured in full.
    const { isWhole, changed } = growth.state
    const length = await sound.lengthNow()
    if (isWhole || length >= wanted) return length
    await changed.promise
  }
}
