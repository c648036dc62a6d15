import { existsSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { readJson } from '../machine/write-file.ts'

/** Where a model came from; it stands beside its files. */
const origin = z.object({
  from: z.string(),
  repository: z.string(),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  variant: z.string(),
  /** As the hub names it. */
  licence: z.string().optional(),
  sizeBytes: z.number().optional(),
})
export type Origin = z.infer<typeof origin>

type ModelFolder = {
  /** The complete model. */
  readonly whole: string
  /** What is being fetched. */
  readonly partial: string
}

export function modelFolder(modelsFolder: string, name: string): ModelFolder {
  return {
    whole: path.join(modelsFolder, name),
    partial: path.join(modelsFolder, `${name}.partial`),
  }
}

export const originFile = (folder: string): string => path.join(folder, 'origin.json')

export function readOrigin(folder: string): Origin | undefined {
  return origin.safeParse(readJson(originFile(folder))).data
}

export function stateOf({ whole, partial }: ModelFolder): 'here' | 'begun' | 'not here' {
  if (existsSync(whole)) return 'here'
  return existsSync(partial) ? 'begun' : 'not here'
}
