import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { withSoundFile } from '../../../../containers/speech/local/sound-file.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'

it('withSoundFile reads silence before the first sample and behind the last', async () => {
  const file = path.join(await aFolder(), 'sound.f32')
  await writeFile(file, new Uint8Array(Float32Array.of(1, 2, 3).buffer))
  const read = async (from: number, to: number) =>
    withSoundFile(file, async (sound) => [...(await sound.read(from, to))])
  expect(await read(-2, 5)).toEqual([0, 0, 1, 2, 3, 0, 0])
  expect(await read(1, 2)).toEqual([2])
  expect(await read(3, 5)).toEqual([0, 0])
  expect(await read(-3, -1)).toEqual([0, 0])
})
