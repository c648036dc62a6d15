import path from 'node:path'
import { InferenceSession } from 'onnxruntime-node'
import { ModelFault } from './model-fault.ts'
import { oneThread } from '../../models/model-output.ts'

/** Opens the graph in a file, or in these bytes that were made of it. */
export async function loadSession(file: string, bytes?: Uint8Array): Promise<InferenceSession> {
  // The runtime looks for weights in a file of their own where it believes the graph to be.
  const beside = { model_external_initializers_file_folder_path: path.dirname(file) }
  try {
    return bytes
      ? await InferenceSession.create(bytes, { ...oneThread, extra: { session: beside } })
      : await InferenceSession.create(file, oneThread)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `${path.basename(file)} cannot be loaded: ${reason.slice(0, 500)}`
    throw new ModelFault(message, { cause })
  }
}
