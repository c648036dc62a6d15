import { fileURLToPath } from 'node:url'
import { InferenceSession } from 'onnxruntime-node'
import { oneThread } from '../../models/model-output.ts'
import { convertModel } from './convert-model.ts'
import { readGraphModel } from './graph-model.ts'
import { encodeOnnx } from './onnx-graph.ts'

/** Opens one of the models that the package ships for another runtime. */
export async function openShipped(
  name: string,
  wanted: Parameters<typeof convertModel>[1],
): Promise<InferenceSession> {
  const shipped = new URL(`../models/${name}.json`, import.meta.resolve('@vladmandic/human'))
  const graph = convertModel(await readGraphModel(fileURLToPath(shipped)), wanted)
  return InferenceSession.create(encodeOnnx(graph), oneThread)
}
