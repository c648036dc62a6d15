import { StopWithMessage } from '../machine/stop-with-message.ts'
import { variants, type Variant } from './catalogue.ts'
import type { HubFile } from './hub.ts'

const needed = ['config.json', 'generation_config.json', 'preprocessor_config.json']
const tokenizers = [
  ['tokenizer.json', 'tokenizer_config.json'],
  ['vocab.json', 'added_tokens.json', 'tokenizer_config.json'],
]
const graphs = ['encoder_model', 'decoder_model_merged']

/** The files of one variant. Only names that are expected are taken, so that no list can write anywhere else. */
export function chooseFiles(files: readonly HubFile[], variant: Variant): HubFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const require = (path: string): HubFile => {
    const file = byPath.get(path)
    if (!file) throw new StopWithMessage(`The hub has no ${path} of this model.`)
    return file
  }
  const [whole, parts] = tokenizers
  const tokenizer = (byPath.has('tokenizer.json') ? whole : parts) ?? []
  const [vocabulary = '', ...others] = tokenizer
  return [
    ...needed.map(require),
    require(vocabulary),
    ...others.flatMap((path) => byPath.get(path) ?? []),
    ...graphs.flatMap((graph) => {
      const path = `onnx/${graph}${variants[variant]}.onnx`
      if (!byPath.has(path)) throw noVariant(files, variant)
      return [require(path), ...weightsBeside(path, files)]
    }),
  ]
}

/** Large graphs have their weights in files beside them: `.onnx_data`, `.onnx_data_1`, … */
function weightsBeside(graph: string, files: readonly HubFile[]): HubFile[] {
  return files.filter(
    ({ path }) =>
      path.startsWith(`${graph}_data`) && /^(?:_\d{1,3})?$/.test(path.slice(graph.length + 5)),
  )
}

function noVariant(files: readonly HubFile[], variant: Variant): StopWithMessage {
  const offered = Object.entries(variants).filter(([, ending]) =>
    graphs.every((graph) => files.some(({ path }) => path === `onnx/${graph}${ending}.onnx`)),
  )
  const list = offered.map(([name]) => name).join(', ') || 'none'
  return new StopWithMessage(`The hub has no variant ${variant} of this model; it has: ${list}.`)
}
