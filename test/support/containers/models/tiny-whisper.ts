import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { onnxFile, type Graph, type Weights } from './onnx-file.ts'
import { decoderFiles, node } from './tiny-whisper-decoder.ts'
import {
  features,
  matrix,
  pieces,
  steering,
  texts,
  tokenOf,
  tones,
  vocabularySize,
  type TinyWhisper,
} from './tiny-whisper-script.ts'
import { aFolder } from '../tool-context.ts'

/** The band of the picture in which a tone is loudest. */
function bandOf(hertz: number, bands: number): number {
  const mel = (f: number): number =>
    f < 1_000 ? (3 * f) / 200 : 15 + (27 * Math.log(f / 1_000)) / Math.log(6.4)
  return Math.round((mel(hertz) / mel(8_000)) * (bands + 1)) - 1
}

function encoderFile({ bands = 80, half = false }: TinyWhisper): Graph {
  const type = half ? 'float16' : 'float'
  const cells = Object.values(tones).map((hertz, i) => [i, bandOf(hertz, bands), 1] as const)
  return {
    nodes: [
      node(
        half ? 'Cast' : 'Identity',
        ['input_features'],
        'picture',
        half ? { attributes: { to: 1 } } : {},
      ),
      node('MatMul', ['ears', 'picture'], 'tones'),
      node('AveragePool', ['tones'], 'pooled', { attributes: { kernel_shape: [2], strides: [2] } }),
      node('Relu', ['pooled'], 'loud'),
      node('Transpose', ['loud'], 'frames', { attributes: { perm: [0, 2, 1] } }),
      node(
        half ? 'Cast' : 'Identity',
        ['frames'],
        'last_hidden_state',
        half ? { attributes: { to: 10 } } : {},
      ),
    ],
    weights: { ears: { ...matrix(features, bands, cells), dims: [1, features, bands] } },
    inputs: { input_features: { type, dims: [1, bands, 3_000] } },
    outputs: { last_hidden_state: { type, dims: [1, 1_500, features] } },
  }
}

/** Writes the folder of such a model. */
export async function tinyWhisper(tiny: TinyWhisper = {}): Promise<string> {
  const folder = await aFolder()
  const { under = '', ending = '', bands = 80 } = tiny
  await mkdir(path.join(folder, under), { recursive: true })
  for (const [name, graph] of Object.entries({
    encoder_model: encoderFile(tiny),
    ...decoderFiles(tiny),
  })) {
    const file = path.join(folder, under, `${name}${ending}.onnx`)
    await writeFile(file, onnxFile(tiny.external ? await outside(graph, file) : graph))
  }
  const json = async (name: string, value: unknown) =>
    writeFile(path.join(folder, name), JSON.stringify(value))
  await json('config.json', {
    model_type: 'whisper',
    vocab_size: vocabularySize,
    num_mel_bins: bands,
    max_target_positions: 448,
  })
  await json('preprocessor_config.json', {
    feature_size: bands,
    sampling_rate: 16_000,
    n_fft: 400,
    hop_length: 160,
    chunk_length: 30,
  })
  await json('generation_config.json', { ...generationOf(tiny), ...tiny.generation })
  const names = steering.map((word) =>
    word === 'end' ? 'endoftext' : word === 'sot' ? 'startoftranscript' : word,
  )
  await json('tokenizer.json', {
    model: {
      type: 'BPE',
      vocab: Object.fromEntries(pieces.map((piece, i) => [piece, i])),
      merges: [],
    },
    added_tokens: names.map((name, i) => ({
      id: texts.length + i,
      content: `<|${name}|>`,
      special: true,
    })),
  })
  return folder
}

function generationOf({ isEnglish = false }: TinyWhisper): Record<string, unknown> {
  return {
    is_multilingual: !isEnglish,
    decoder_start_token_id: tokenOf('sot'),
    eos_token_id: tokenOf('end'),
    no_timestamps_token_id: tokenOf('notimestamps'),
    suppress_tokens: [],
    begin_suppress_tokens: [tokenOf('end')],
    max_length: 448,
    ...(!isEnglish && {
      lang_to_id: { '<|fi|>': tokenOf('fi'), '<|ja|>': tokenOf('ja') },
      task_to_id: { transcribe: tokenOf('transcribe'), translate: tokenOf('translate') },
    }),
  }
}

async function outside(graph: Graph, file: string): Promise<Graph> {
  const weights: Record<string, Weights> = {}
  const chunks: Uint8Array[] = []
  let offset = 0
  for (const [name, one] of Object.entries(graph.weights ?? {})) {
    if (!(one.values instanceof Float32Array) || one.values.length === 0) {
      weights[name] = one
      continue
    }
    const { buffer, byteOffset, byteLength } = one.values
    chunks.push(new Uint8Array(buffer, byteOffset, byteLength))
    weights[name] = { ...one, external: { file: `${path.basename(file)}_data`, offset } }
    offset += byteLength
  }
  await writeFile(`${file}_data`, Buffer.concat(chunks))
  return { ...graph, weights }
}
