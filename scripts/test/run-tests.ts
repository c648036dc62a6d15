import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readJson } from '../machine/write-file.ts'
import { resultsVariable } from './closing-line.ts'
import { failedFiles, testResults } from './results.ts'

/** More than chance makes of them. */
const mostFilesAgain = 5

type Vitest = (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>

/**
 * Runs the tests. Where all were asked for and a few files failed, those run once more, from nothing and with nobody
 * beside them: real processes on a busy machine are late at times. What that saved is named in the closing lines.
 */
export async function runTests(
  vitest: Vitest,
  args: readonly string[],
  say: (line: string) => void,
): Promise<number> {
  // Whoever is tested by such a run himself must not write into its results.
  if (args.length > 0) return vitest(args, { ...process.env, [resultsVariable]: undefined })
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-test-results-'))
  try {
    const file = path.join(folder, 'results.json')
    const env = { ...process.env, [resultsVariable]: file }
    const exitCode = await vitest([], env)
    // From 128 on a signal ended it.
    if (exitCode === 0 || exitCode >= 128) return exitCode
    const again = filesWorthASecondTry(readJson(file))
    if (again.length === 0) return exitCode
    say(`Once more, by themselves: ${again.join(', ')}`)
    return await vitest(['--no-file-parallelism', ...again], env)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function filesWorthASecondTry(found: unknown): string[] {
  const { data } = testResults.safeParse(found)
  // An error that belongs to no file cannot be tried again.
  if (data === undefined || data.unhandled > 0) return []
  const files = failedFiles(data)
  return files.length <= mostFilesAgain ? files : []
}
