import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { JobError } from '../../errors/job-error.ts'
import type { TextFile } from '../../graph/filter-graph.ts'
import { CubeFault, rewriteCube } from '../../render/color/cube-file.ts'

const field = 'color.lutUrl'
const writtenAs = 'colors.cube'

/** The table of colours that a request names, checked and written again; undefined if it names none. */
export async function readColorTable(
  folder: string,
  fetched: ReadonlyMap<string, string>,
): Promise<TextFile | undefined> {
  const name = fetched.get(field)
  if (name === undefined) return undefined
  const text = await readFile(path.join(folder, name), 'utf8')
  try {
    return { path: writtenAs, text: rewriteCube(text) }
  } catch (error) {
    if (!(error instanceof CubeFault)) throw error
    throw new JobError('element_unusable', `${field}: ${error.message}.`, { cause: error })
  }
}
