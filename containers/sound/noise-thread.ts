import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { BlockMeter, type SoundBlocks } from './block-meter.ts'
import { NoiseRemover, type NoisySound } from './noise-remover.ts'
import { channels, sampleRate } from './pcm.ts'

/** Said to the thread: there is more of the file, or all of it. */
export type NoiseRequest = 'grown' | 'whole'

export type NoiseAnswer =
  | { readonly type: 'heard'; readonly seconds: number }
  | ({ readonly type: 'cleaned' } & CleanedSound)

/** The noise is out of the file, if there was any to take out; this is what was measured of it then. */
export type CleanedSound = { readonly blocks: SoundBlocks; readonly isChanged: boolean }

/**
 * Entry of the thread in which the noise of one recording is heard and taken out: it takes a tenth of the time that the
 * sound lasts, and health checks and other jobs do not wait for it. What fails here ends the thread.
 */
if (parentPort) removeNoise(parentPort, workerData as NoisySound)

/** How often it tells how far it is. */
const tellEvery = 2 * sampleRate

function removeNoise(port: MessagePort, sound: NoisySound): void {
  const { signal } = new AbortController()
  const tell = (answer: NoiseAnswer): void => port.postMessage(answer)
  let heard = 0
  let opened: Promise<NoiseRemover> | undefined
  let working = Promise.resolve()
  const hearOn = async (): Promise<void> => {
    // There is no file before it has grown.
    const remover = await (opened ??= NoiseRemover.open(sound))
    await remover.hearOn(signal, (samples) => {
      const before = heard
      heard += samples.length / channels
      if (Math.floor(heard / tellEvery) === Math.floor(before / tellEvery)) return
      tell({ type: 'heard', seconds: heard / sampleRate })
    })
  }
  const finish = async (): Promise<void> => {
    await hearOn()
    const meter = new BlockMeter()
    const isChanged = await (await opened)?.reduce(signal, (samples) => meter.push(samples))
    tell({ type: 'cleaned', blocks: meter.finish(), isChanged: isChanged === true })
    port.close()
  }
  port.on('message', (request: NoiseRequest) => {
    working = working.then(request === 'whole' ? finish : hearOn)
  })
}
