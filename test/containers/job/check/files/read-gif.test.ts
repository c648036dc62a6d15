import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readGif } from '../../../../../containers/job/check/files/read-gif.ts'
import { aFolder } from '../../../../support/containers/tool-context.ts'

async function gifOf(blocks: readonly number[]): Promise<string> {
  const file = path.join(await aFolder(), 'made.gif')
  const head = [...Buffer.from('GIF89a'), 4, 0, 2, 0, 0, 0, 0]
  await writeFile(file, Buffer.from([...head, ...blocks]))
  return file
}

it('reads a GIF whose blocks are whole, and takes one with a block that is too short for damaged', async () => {
  const picture = [0x2c, 0, 0, 0, 0, 4, 0, 2, 0, 0, 2, 1, 0, 0, 0x3b]
  const whole = await gifOf([0x21, 0xf9, 4, 0, 50, 0, 0, 0, ...picture])
  expect(await readGif(whole)).toEqual({ width: 4, height: 2, delays: [0.5], isEndless: false })
  expect(await readGif(await gifOf([0x21, 0xf9, 1, 0, 0, ...picture]))).toBeUndefined()
})
