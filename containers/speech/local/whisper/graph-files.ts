import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { ModelFault } from '../model-fault.ts'
import { codeOf } from '../../../errors/code-of.ts'

/** The decoder is one file that can begin and go on, two files, or one that reads its whole text again at each step. */
export type GraphFiles = {
  readonly encoder: string
  readonly decoder:
    | { readonly merged: string }
    | { readonly first: string; readonly next: string | undefined }
}

/** The endings of the files of one model in several precisions, from the most to the least preferred. */
const endings = ['', '_quantized', '_int8', '_uint8', '_fp16', '_q8', '_q4', '_q4f16', '_bnb4']

/** Finds the graphs as Optimum and onnx-community publish them: in the folder itself, or in `onnx/`. */
export async function findGraphs(folder: string): Promise<GraphFiles> {
  const names = [
    ...(await namesIn(folder)),
    ...(await namesIn(path.join(folder, 'onnx'))).map((name) => `onnx/${name}`),
  ]
  const find = (stem: string): string | undefined => {
    const wanted = endings.map((ending) => `${stem}${ending}.onnx`)
    const found = wanted
      .flatMap((name) => [name, `onnx/${name}`])
      .find((name) => names.includes(name))
    return found === undefined ? undefined : path.join(folder, found)
  }
  const encoder = find('encoder_model')
  if (encoder === undefined) throw missing('encoder_model.onnx')
  const merged = find('decoder_model_merged')
  if (merged !== undefined) return { encoder, decoder: { merged } }
  const first = find('decoder_model')
  if (first === undefined) throw missing('decoder_model_merged.onnx or decoder_model.onnx')
  return { encoder, decoder: { first, next: find('decoder_with_past_model') } }
}

function missing(name: string): ModelFault {
  return new ModelFault(
    `${name} is missing, in the folder and in its folder onnx, also with an ending such as _quantized`,
  )
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}
