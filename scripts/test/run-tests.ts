import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readJson } from '../machine/write-file.ts'
import { resultsVariable } from './closing-line.ts'
import { failedFiles, testResults } from './results.ts'
import { suites, type Suite } from './suites.ts'

/** More failing files than this are not chance. */
const mostFilesAgain = 5

/**
 * Runs the tests of a suite. If all of them were requested and a few files failed, those run once more, alone and from the
 * start, because real processes can be slow on a busy machine. The closing lines name the tests that passed only then.
 */
export async function runTests(
  vitest: (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>,
  { suite, args }: { suite: Suite; args: readonly string[] },
  say: (line: string) => void,
): Promise<number> {
  const which = suites[suite]
  if (args.length > 0) {
    // A test that starts such a run must not write into the results of the run it belongs to.
    return vitest([...which, ...args], { ...process.env, [resultsVariable]: undefined })
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-test-results-'))
  try {
    const file = path.join(folder, 'results.json')
    const env = { ...process.env, [resultsVariable]: file }
    const exitCode = await vitest(which, env)
    // An exit code of 128 or more means that a signal ended it.
    if (exitCode === 0 || exitCode >= 128) return exitCode
    const again = filesWorthASecondTry(readJson(file))
    if (again.length === 0) return exitCode
    say(`Once more, by themselves: ${again.join(', ')}`)
    return await vitest([...which, '--no-file-parallelism', ...again], env)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function filesWorthASecondTry(found: unknown): string[] {
  const { data } = testResults.safeParse(found)
  // An error that belongs to no file cannot be retried.
  if (data === undefined || data.unhandled > 0) return []
  const files = failedFiles(data)
  return files.length <= mostFilesAgain ? files : []
}
