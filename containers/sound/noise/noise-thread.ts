import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { BlockMeter, type SoundBlocks } from '../level/block-meter.ts'
import { NoiseRemover, type NoisySound, type Reduced } from './noise-remover.ts'
import { channels, workedRate } from '../dsp/pcm.ts'

/** Tells the thread that the file has grown, or that it is complete. */
export type NoiseRequest = 'grown' | 'whole'

export type NoiseAnswer =
  | { readonly type: 'heard'; readonly seconds: number }
  | ({ readonly type: 'cleaned' } & CleanedSound)

/** The measurements of the file after its noise was removed, and whether there was any noise to remove. */
export type CleanedSound = Reduced & { readonly blocks: SoundBlocks }

/**
 * The entry point of the thread that removes the noise of one recording. It is a thread because the work takes a tenth of
 * the sound's duration, and health checks and other jobs must not wait for it. An error here ends the thread.
 */
if (parentPort) removeNoise(parentPort, workerData as NoisySound)

/** The thread reports its progress after each two seconds of sound. */
const tellEvery = 2 * workedRate

function removeNoise(port: MessagePort, sound: NoisySound): void {
  const { signal } = new AbortController()
  const tell = (answer: NoiseAnswer): void => port.postMessage(answer)
  let heard = 0
  let opened: Promise<NoiseRemover> | undefined
  let working = Promise.resolve()
  const hearOn = async (): Promise<void> => {
    // The file exists only after the first message.
    const remover = await (opened ??= NoiseRemover.open(sound))
    await remover.hearOn(signal, (samples) => {
      const before = heard
      heard += samples.length / channels
      if (Math.floor(heard / tellEvery) === Math.floor(before / tellEvery)) return
      tell({ type: 'heard', seconds: heard / workedRate })
    })
  }
  const finish = async (): Promise<void> => {
    await hearOn()
    const meter = new BlockMeter()
    const reduced = await (await opened)?.reduce(signal, (samples) => meter.push(samples))
    const unchanged = { isChanged: false, treated: [] }
    tell({ type: 'cleaned', blocks: meter.finish(), ...(reduced ?? unchanged) })
    port.close()
  }
  port.on('message', (request: NoiseRequest) => {
    working = working.then(request === 'whole' ? finish : hearOn)
  })
}
