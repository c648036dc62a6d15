import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { answerTask, type TaskHandlers, type TaskRequest } from '../../models/model-tasks.ts'
import type { OnShare, ShareDone } from '../../models/model-thread.ts'
import { detectActivity, detectInRange, loadActivityModel, pieceLength } from './detect-activity.ts'
import { type SampledSound, type SoundFile, withGrowingFile, withSoundFile } from './sound-file.ts'
import { loadSpeechModel, markOfModel } from './load-speech-model.ts'
import type { SpeechNote, SpeechWork, ThreadSettings } from './thread-messages.ts'
import {
  blocksOf,
  concludeSound,
  divideSpeech,
  hearPieces,
  spokenInBlocks,
  transcribeSound,
} from './transcribe-sound.ts'
import { StepTimeout, TurnQueue, type Turns } from '../../models/turns.ts'
import { tellVoices } from './voices/group-voices.ts'
import { loadVoiceModel } from './voices/voice-model.ts'

/** The entry point of the thread that holds the models: one of their steps takes longer than the reports of a job can wait. */
if (parentPort) listenTo(parentPort, workerData as ThreadSettings)

/** For half a minute of sound, which usually takes a third of a second. The recogniser's own timeout does not apply here. */
const listenTimeoutMs = 60_000

type RunningTask = { readonly controller: AbortController; readonly growth: Growth }

function listenTo(port: MessagePort, { modelDir, stepTimeoutMs }: ThreadSettings): void {
  const tasks = tasksWith(modelDir)
  const queue = new TurnQueue()
  const running = new Map<number, RunningTask>()

  const run = async (request: TaskRequest<SpeechWork>): Promise<void> => {
    const { controller, growth } = { controller: new AbortController(), growth: new Growth() }
    running.set(request.id, { controller, growth })
    const { signal } = controller
    const turns = queue.turnsFor(
      signal,
      request.task === 'listen' ? listenTimeoutMs : stepTimeoutMs,
    )
    const kindOf = (error: unknown) =>
      signal.aborted ? 'canceled' : error instanceof StepTimeout ? 'timed-out' : 'failed'
    const { id } = request
    const onShare = inPercent((share) => port.postMessage({ id, share } satisfies ShareDone))
    await answerTask(port, tasks, request, {
      ...{ help: [turns, growth, onShare], kindOf },
      spentMs: turns.spentMs,
    })
    running.delete(request.id)
  }

  port.on('message', (message: TaskRequest<SpeechWork> | SpeechNote) => {
    if (!('note' in message)) return void run(message)
    const { controller, growth } = running.get(message.id) ?? {}
    if (message.note === 'cancel') controller?.abort()
    // A task that is canceled may be waiting for more data.
    growth?.grown(message.note !== 'grown')
  })
}

/** `OnShare` is called with the share of a task that is done. */
type TaskContext = [Turns, Growth, OnShare]

/** Loads each model at the first task that needs it: finding pauses needs no recogniser. */
function tasksWith(modelDir: string | undefined): TaskHandlers<SpeechWork, TaskContext> {
  const activity = once(loadActivityModel)
  const speech = once(async () => loadSpeechModel(modelDir))
  const mark = once(async () => markOfModel(modelDir))
  const voices = once(loadVoiceModel)
  const recogniser = async () => ({ activity: await activity(), speech: await speech() })
  return {
    async prepare() {
      await speech()
      return mark()
    },
    async transcribe({ soundPath, names }, turns) {
      const models = await recogniser()
      return withSoundFile(soundPath, async (sound) =>
        transcribeSound(models, { sound, turns, names }),
      )
    },
    ...surveyTasks(activity, speech),
    async hear({ soundPath, model, from, length, ...asked }, turns) {
      if ((await mark()) !== model) throw new Error('This media worker has another speech model')
      const models = await recogniser()
      return withSoundFile(soundPath, async (excerpt) => {
        const read: SampledSound['read'] = async (first, end) =>
          excerpt.read(first - from, end - from)
        return hearPieces(models, { ...asked, sound: { length, read }, turns })
      })
    },
    async conclude({ soundPath, survey, written }, turns) {
      const models = await recogniser()
      return withSoundFile(soundPath, async (sound) =>
        concludeSound(models, { sound, turns }, { ...survey, written }),
      )
    },
    async voices({ soundPath, stretches, count }, turns, _growth, onShare) {
      const model = await voices()
      return withSoundFile(soundPath, async (sound) =>
        tellVoices(model, { sound, stretches, turns, onShare }, count),
      )
    },
    async listen({ soundPath }, turns, growth) {
      const model = await activity()
      return withGrowingFile(soundPath, async (sound) =>
        detectActivity(model, piecesAsTheyCome(sound, pieceLength, growth), turns),
      )
    },
  }
}

/** The steps that find the pieces to transcribe. */
function surveyTasks(
  activity: () => ReturnType<typeof loadActivityModel>,
  speech: () => ReturnType<typeof loadSpeechModel>,
): Pick<TaskHandlers<SpeechWork, TaskContext>, 'activity' | 'blocks' | 'spoken' | 'divide'> {
  return {
    async activity({ soundPath, ...range }, turns) {
      const model = await activity()
      return withSoundFile(soundPath, async (sound) => detectInRange(model, sound, range, turns))
    },
    async blocks({ soundPath, probabilities }) {
      return withSoundFile(soundPath, async (sound) => blocksOf(sound, probabilities))
    },
    async spoken({ soundPath, blocks }, turns) {
      const model = await activity()
      return withSoundFile(soundPath, async (sound) =>
        spokenInBlocks(model, { sound, turns }, blocks),
      )
    },
    async divide({ soundPath, names, speech: spoken }, turns) {
      const models = { speech: await speech() }
      return withSoundFile(soundPath, async (sound) =>
        divideSpeech(models, { sound, turns, names }, spoken),
      )
    },
  }
}

/** Reports a share only once for each whole percent. */
function inPercent(tell: OnShare): OnShare {
  let told = 0
  return (share) => {
    const percent = Math.floor(100 * share)
    if (percent <= told) return
    told = percent
    tell(percent / 100)
  }
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return async () => (loading ??= load())
}

type GrowthState = { readonly isWhole: boolean; readonly changed: PromiseWithResolvers<undefined> }

/** The state of a file that another process is writing. */
class Growth {
  #state: GrowthState = { isWhole: false, changed: Promise.withResolvers() }

  get state(): GrowthState {
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
