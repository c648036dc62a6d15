import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { readJson, writeJson } from '../machine/write-file.ts'
import {
  closingLines,
  testResults,
  withSecondTry,
  type FileResults,
  type TestResults,
} from './results.ts'
import { isOfOtherSuite } from './suites.ts'

/** The variable with the file to which a run writes its results and a second try adds. */
export const resultsVariable = 'SPOOL_TEST_RESULTS'

/** Ends a run with one plain line. */
export default class ClosingLine implements Reporter {
  #filters: readonly string[] | undefined

  onInit(vitest: Vitest): void {
    this.#filters = vitest.config.tagsFilter
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const now: TestResults = { files: {}, unhandled: unhandledErrors.length }
    for (const module of modules) now.files[module.relativeModuleId] = this.#resultsOf(module)
    const file = process.env[resultsVariable]
    const before = file === undefined ? undefined : testResults.safeParse(readJson(file)).data
    const results = before === undefined ? now : withSecondTry(before, now)
    if (file !== undefined) writeJson(file, results, 0o644)
    process.stdout.write(closingLines(results))
  }

  #resultsOf(module: TestModule): FileResults {
    const results: FileResults = { passed: 0, skipped: 0, failed: [], flaky: [] }
    if (module.errors().length > 0) results.failed.push('(the file itself)')
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'skipped' && isOfOtherSuite(test.tags, this.#filters)) continue
      if (test.diagnostic()?.flaky) results.flaky.push(test.fullName)
      if (state === 'failed') results.failed.push(test.fullName)
      else results[state === 'passed' ? 'passed' : 'skipped']++
    }
    return results
  }
}
