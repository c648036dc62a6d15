import { open } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import { jsonOf } from '../../../worker/contract/input/parse-input.ts'
import { ModelFault } from './model-fault.ts'
import { codeOf } from '../../errors/code-of.ts'

/** The tokenizers of the largest models take a tenth of this. */
const mostBytes = 64 * 1024 * 1024

/** One file of settings in the folder of a model; undefined if there is none. */
export async function readModelJson<Value>(
  folder: string,
  name: string,
  shape: z.ZodType<Value>,
): Promise<Value | undefined> {
  const text = await readText(path.join(folder, name), name)
  if (text === undefined) return undefined
  const json = jsonOf(text)
  if (json === undefined) throw new ModelFault(`${name} is not JSON`)
  const parsed = shape.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ModelFault(`${name}: ${issue?.path.join('.') ?? ''} is wrong: ${issue?.message ?? ''}`)
}

async function readText(file: string, name: string): Promise<string | undefined> {
  try {
    await using handle = await open(file, 'r')
    const { size } = await handle.stat()
    if (size > mostBytes)
      throw new ModelFault(`${name} is larger than any tokenizer: ${size} bytes`)
    return await handle.readFile('utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    if (error instanceof ModelFault) throw error
    throw new ModelFault(`${name} cannot be read`, { cause: error })
  }
}
