import { fileURLToPath } from 'node:url'
import { InferenceSession } from 'onnxruntime-node'
import { oneThread } from './load-session.ts'

/** Loads the model that detects where somebody speaks. */
export async function loadActivityModel(): Promise<InferenceSession> {
  const file = fileURLToPath(import.meta.resolve('@ricky0123/vad-web/dist/silero_vad_v6.onnx'))
  return InferenceSession.create(file, oneThread)
}
