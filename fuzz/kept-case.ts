import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { StopWithMessage } from '../scripts/machine/stop-with-message.ts'
import type { FuzzCase } from './make-case.ts'

const description = z.object({
  name: z.string(),
  what: z.string(),
  isJob: z.boolean(),
  kind: z.enum(['video', 'picture', 'sound']).default('video'),
  element: z.enum(['image', 'gif', 'video', 'audio']).nullable(),
  options: z.record(z.string(), z.unknown()),
})

/** Stores a failing case and returns its folder. */
export async function keepCase(
  folder: string,
  { name, kind, source, element, options }: FuzzCase,
  { what, isJob }: { what: string; isJob: boolean },
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const described = { name, kind, what, isJob, element: element?.type ?? null, options }
  await writeFile(path.join(folder, 'case.json'), `${JSON.stringify(described, null, 2)}\n`)
  await writeFile(path.join(folder, 'source'), source)
  if (element) await writeFile(path.join(folder, 'element'), element.bytes)
}

export async function readCase(folder: string): Promise<{ fuzzCase: FuzzCase; isJob: boolean }> {
  const text = await readFile(path.join(folder, 'case.json'), 'utf8').catch((error: unknown) => {
    throw new StopWithMessage(`No case is kept in ${folder}.`, 2, { cause: error })
  })
  const { name, kind, element, options, isJob } = description.parse(JSON.parse(text))
  const source = await readFile(path.join(folder, 'source'))
  const found = element && { type: element, bytes: await readFile(path.join(folder, 'element')) }
  return { fuzzCase: { name, kind, source, element: found ?? undefined, options }, isJob }
}
