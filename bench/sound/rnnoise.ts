/** As much of the package as is used here; it is made for browsers, and has types of theirs. */
type Package = {
  Rnnoise: { load: () => Promise<{ frameSize: number; createDenoiseState: () => State }> }
}
type State = { processFrame: (frame: Float32Array) => number; destroy: () => void }

/** Measured: how much later it comes out. */
const delay = 960
/** It expects the range of 16-bit samples. */
const range = 32_767

/** What RNNoise 0.2 makes of a sound: the yardstick for voices in noise. */
export async function denoisedByRnnoise(sound: Float32Array): Promise<Float32Array> {
  // It refuses to run outside of a browser, and needs nothing of one.
  Object.defineProperty(globalThis, 'WorkerGlobalScope', { value: Object, configurable: true })
  const found = (await import(import.meta.resolve('@shiguredo/rnnoise-wasm'))) as Package
  const network = await found.Rnnoise.load()
  const state = network.createDenoiseState()
  const denoised = new Float32Array(sound.length + delay + network.frameSize)
  const frame = new Float32Array(network.frameSize)
  for (let at = 0; at + frame.length <= denoised.length; at += frame.length) {
    for (let i = 0; i < frame.length; i++) frame[i] = (sound[at + i] ?? 0) * range
    state.processFrame(frame)
    denoised.set(frame, at)
  }
  state.destroy()
  return denoised.subarray(delay, delay + sound.length).map((value) => value / range)
}
