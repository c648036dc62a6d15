import type { Graph, Node, Value, Weights } from './onnx-file.ts'
import {
  classes,
  decoderWeights,
  features,
  vocabularySize,
  type TinyWhisper,
} from './tiny-whisper-script.ts'

export const node = (
  op: string,
  inputs: string[],
  output: string,
  more: Partial<Node> = {},
): Node => ({
  op,
  inputs,
  outputs: [output],
  ...more,
})

function softmax(input: string, name: string, output: string, isHidden: boolean): Node[] {
  if (!isHidden) return [node('Softmax', [input], output, { name })]
  return [
    node('Exp', [input], `${output}.exp`),
    node('ReduceSum', [`${output}.exp`, 'lastAxis'], `${output}.sum`),
    node('Div', [`${output}.exp`, `${output}.sum`], output),
  ]
}

const flipped = { attributes: { perm: [0, 1, 3, 2] } }
const caches = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']

/** The nodes of the decoder, which begin a text or go on with one. */
function decoderBody(kind: 'first' | 'next', tiny: TinyWhisper, own = ''): Graph {
  const isNext = kind === 'next'
  const { attention = 'named', half = false } = tiny
  const float = half ? 'float16' : 'float'
  const isHidden = attention === 'hidden'
  const isNamed = attention === 'named' || attention === 'output'
  const shown = isNamed ? '/model/decoder/layers.0/encoder_attn/Softmax_output_0' : 'weights_7'
  const out = (name: string): string => `${own}${name}`
  const single = (name: string): Node[] =>
    half ? [node('Cast', [name], `${own}32.${name}`, { attributes: { to: 1 } })] : []
  const read = (name: string): string => (half ? `${own}32.${name}` : name)
  const write = (name: string, output: string): Node =>
    half
      ? node('Cast', [name], out(output), { attributes: { to: 10 } })
      : node('Identity', [name], out(output))
  const pastOf = (name: string): string => `past_key_values.0.${name}`
  const nodes = [
    node('Gather', ['embedding', 'input_ids'], 'text'),
    node('Unsqueeze', ['text', 'one'], 'words'),
    ...(isNext
      ? caches
          .slice(0, 2)
          .concat('encoder.value')
          .flatMap((name) => single(pastOf(name)))
      : single('encoder_hidden_states')),
    ...['key', 'value'].map((name) =>
      isNext
        ? node('Concat', [read(pastOf(`decoder.${name}`)), 'words'], `self.${name}`, {
            attributes: { axis: 2 },
          })
        : node('Identity', ['words'], `self.${name}`),
    ),
    node('MatMul', ['words', 'evenly'], 'asked'),
    node('Transpose', ['self.key'], 'self.flipped', flipped),
    node('MatMul', ['asked', 'self.flipped'], 'self.scores'),
    ...softmax(
      'self.scores',
      '/model/decoder/layers.0/self_attn/Softmax',
      'self.weights',
      isHidden,
    ),
    node('MatMul', ['self.weights', 'self.value'], 'remembered'),
    isNext
      ? node('Identity', [read(pastOf('encoder.value'))], 'heard')
      : node('Unsqueeze', [read('encoder_hidden_states'), 'one'], 'heard'),
    node('MatMul', ['words', 'query'], 'sought'),
    node('Transpose', ['heard'], 'heard.flipped', flipped),
    node('MatMul', ['sought', 'heard.flipped'], 'scores'),
    ...softmax('scores', '/model/decoder/layers.0/encoder_attn/Softmax', shown, isHidden),
    node('MatMul', [shown, 'heard'], 'context'),
    node('MatMul', ['words', 'script'], 'moves'),
    node('MatMul', ['remembered', 'memory'], 'recalled'),
    node('MatMul', ['context', 'hearing'], 'understood'),
    node('Add', ['moves', 'recalled'], 'both'),
    node('Add', ['both', 'understood'], 'all'),
    node('MatMul', ['all', 'spelling'], 'spelled'),
    node('Squeeze', ['spelled', 'one'], 'scored'),
    write('scored', 'logits'),
    ...['key', 'value'].map((name) => write(`self.${name}`, `present.0.decoder.${name}`)),
    // Published models, too, give nothing here once the sound is in the cache.
    ...['key', 'value'].map((name) =>
      write(isNext ? 'nothing' : 'heard', `present.0.encoder.${name}`),
    ),
    ...(attention === 'output' ? [node('Identity', [shown], out('cross_attentions.0'))] : []),
  ]
  const outputs: Record<string, Value> = {
    [out('logits')]: { type: float, dims: [1, 'n', vocabularySize] },
  }
  for (const name of caches) outputs[out(`present.0.${name}`)] = { type: float }
  if (attention === 'output') outputs[out('cross_attentions.0')] = { type: 'float' }
  return { nodes, outputs }
}

function decoderInputs(
  kinds: { past: boolean; sound: boolean },
  half: boolean,
): Record<string, Value> {
  const type = half ? 'float16' : 'float'
  const past = (name: string): Value => ({
    type,
    dims: [1, 1, `${name}_length`, name.startsWith('decoder') ? classes : features],
  })
  return {
    input_ids: { type: 'int64', dims: [1, 'n'] },
    ...(kinds.sound && { encoder_hidden_states: { type, dims: [1, 1_500, features] } }),
    ...(kinds.past &&
      Object.fromEntries(caches.map((name) => [`past_key_values.0.${name}`, past(name)]))),
  }
}

/** The graphs of the decoder by the names of their files. */
export function decoderFiles(tiny: TinyWhisper): Record<string, Graph> {
  const half = tiny.half ?? false
  const weights = {
    ...decoderWeights(tiny),
    lastAxis: { dims: [1], values: BigInt64Array.of(-1n) } satisfies Weights,
  }
  const first = decoderBody('first', tiny)
  const begin: Graph = {
    ...first,
    weights,
    inputs: decoderInputs({ past: false, sound: true }, half),
  }
  if (tiny.make === 'alone') return { decoder_model: begin }
  if (tiny.make === 'pair') {
    const next = decoderBody('next', tiny)
    const inputs = decoderInputs({ past: true, sound: false }, half)
    return { decoder_model: begin, decoder_with_past_model: { ...next, weights, inputs } }
  }
  const branch = {
    then_branch: decoderBody('next', tiny, 'then.'),
    else_branch: decoderBody('first', tiny, 'else.'),
  }
  const choose: Node = {
    op: 'If',
    inputs: ['use_cache_branch'],
    outputs: Object.keys(first.outputs),
    attributes: branch,
  }
  const inputs: Record<string, Value> = {
    ...decoderInputs({ past: true, sound: true }, half),
    use_cache_branch: { type: 'bool', dims: [1] },
  }
  return { decoder_model_merged: { nodes: [choose], weights, inputs, outputs: first.outputs } }
}
