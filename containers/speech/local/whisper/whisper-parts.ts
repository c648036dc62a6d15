import { Tensor } from 'onnxruntime-node'
import { ModelFault } from '../model-fault.ts'
import { DecoderRun } from './decoder-graph.ts'
import { asInput } from './half-floats.ts'
import type { WhisperGraphs } from './load-graphs.ts'
import { LogMel, type LogMelShape } from './log-mel.ts'
import type { ModelTexts } from './model-texts.ts'
import { whisperTokens, type WhisperTokens } from './whisper-tokens.ts'

/** The loaded parts of a model. */
export type WhisperParts = {
  readonly tokens: WhisperTokens
  /** The most samples that the model takes at once. */
  readonly longest: number
  /** The attention heads that follow the sound, by layer; undefined if the model does not say. */
  readonly alignmentHeads: readonly (readonly [layer: number, head: number])[] | undefined
  readonly hear: (samples: Float32Array) => Promise<Tensor>
  readonly write: (heard: Tensor) => DecoderRun
}

export function whisperParts(graphs: WhisperGraphs, texts: ModelTexts): WhisperParts {
  const { config, generation } = texts
  const shape = melShape(texts)
  const mel = new LogMel(shape)
  const { file, session } = graphs.encoder
  const [input] = session.inputMetadata
  if (!input?.isTensor) throw new ModelFault(`${file} has no input input_features`)
  const [, bands] = input.shape
  if (typeof bands === 'number' && bands > 0 && bands !== mel.bands) {
    throw new ModelFault(
      `${file} takes ${bands} mel bands, and preprocessor_config.json (feature_size) or config.json (num_mel_bins) says ${mel.bands}`,
    )
  }
  const heads = config.decoder_attention_heads ?? undefined
  const size = config.d_model && heads ? Math.floor(config.d_model / heads) : undefined
  return {
    tokens: whisperTokens(texts),
    longest: shape.length,
    alignmentHeads: generation.alignment_heads ?? undefined,
    hear: async (samples) => {
      const features = new Tensor('float32', mel.of(samples), [1, mel.bands, mel.frames])
      const outputs = await session.run({ [input.name]: asInput(features, input.type) })
      const heard = outputs['last_hidden_state'] ?? outputs[session.outputNames[0] ?? '']
      if (!(heard instanceof Tensor))
        throw new ModelFault(`${file} has no output last_hidden_state`)
      return heard
    },
    write: (heard) => new DecoderRun(graphs.decoder, heard, { heads, size }),
  }
}

/** The values that Whisper models share unless their files say otherwise. */
const usual = { bands: 80, sampleRate: 16_000, fftSize: 400, hop: 160, seconds: 30 }

function melShape({ config, preprocessor }: ModelTexts): LogMelShape {
  const sampleRate = preprocessor.sampling_rate ?? usual.sampleRate
  return {
    sampleRate,
    bands: preprocessor.feature_size ?? config.num_mel_bins ?? usual.bands,
    fftSize: preprocessor.n_fft ?? usual.fftSize,
    hop: preprocessor.hop_length ?? usual.hop,
    length: (preprocessor.chunk_length ?? usual.seconds) * sampleRate,
  }
}
