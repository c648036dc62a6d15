import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { expect, it } from 'vitest'
import { packagedModel } from '../../../../../containers/speech/local/moonshine/load-moonshine.ts'
import { compareInWholeNumbers } from '../../../../../containers/speech/local/moonshine/whole-number-head.ts'
import { floatData } from '../../../../../containers/models/model-output.ts'

const frames = 40

/** The scores of all pieces of words after the first one, for a sound that no model was made for. */
async function scoresOf(bytes: Uint8Array): Promise<Float32Array> {
  const session = await InferenceSession.create(bytes, { intraOpNumThreads: 1 })
  const heard = Float32Array.from({ length: frames * 416 }, (_, i) => Math.sin(i * i))
  const caches = session.inputNames.filter((name) => name.startsWith('past_key_values'))
  const outputs = await session.run({
    input_ids: new Tensor('int64', BigInt64Array.of(1n), [1, 1]),
    encoder_hidden_states: new Tensor('float32', heard, [1, frames, 416]),
    use_cache_branch: new Tensor('bool', Uint8Array.of(0), [1]),
    ...Object.fromEntries(
      caches.map((name) => [name, new Tensor('float32', new Float32Array(), [0, 8, 1, 52])]),
    ),
  })
  return floatData(outputs, 'logits')
}

it('scores pieces of words nearly as the packaged decoder does, and leaves other models as they are', async () => {
  const bytes = await readFile(path.join(packagedModel(), 'decoder_model_merged.onnx'))
  const [whole, fractions] = [await scoresOf(compareInWholeNumbers(bytes)), await scoresOf(bytes)]
  expect(whole).toHaveLength(32_768)
  const apart = whole.map((score, i) => Math.abs(score - (fractions[i] ?? NaN)))
  const range = Math.max(...fractions) - Math.min(...fractions)
  expect(Math.max(...apart) / range).toBeLessThan(0.03)
  // The weights are compared in another way at all.
  expect(Math.max(...apart)).toBeGreaterThan(0)
  const encoder = await readFile(path.join(packagedModel(), 'encoder_model.onnx'))
  expect(compareInWholeNumbers(encoder)).toBe(encoder)
})
