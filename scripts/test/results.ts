import { z } from 'zod'

/** The results of the tests, by file. */
export const testResults = z.strictObject({
  files: z.record(
    z.string(),
    z.strictObject({
      passed: z.int(),
      skipped: z.int(),
      /** Names of tests; a file that could not even be read has an entry too. */
      failed: z.array(z.string()),
      /** Names of tests that passed at the second try. */
      flaky: z.array(z.string()),
    }),
  ),
  /** Errors that cannot be attributed to a test. */
  unhandled: z.int(),
})
export type TestResults = z.infer<typeof testResults>
export type FileResults = TestResults['files'][string]

export const failedFiles = ({ files }: TestResults): string[] =>
  Object.keys(files).filter((file) => files[file]?.failed.length)

/** Combines both runs: a test that failed in the first and not in the second is flaky. */
export function withSecondTry(first: TestResults, second: TestResults): TestResults {
  const files = { ...first.files }
  for (const [file, now] of Object.entries(second.files)) {
    const mended = (files[file]?.failed ?? []).filter((name) => !now.failed.includes(name))
    files[file] = { ...now, flaky: [...mended, ...now.flaky] }
  }
  return { files, unhandled: first.unhandled + second.unhandled }
}

/**
 * `Tests: 120 passed, 0 failed`, which any tool can read; before it, the names of tests that passed only at the second
 * try.
 */
export function closingLines({ files, unhandled }: TestResults): string {
  const all = Object.entries(files)
  const sum = (count: (results: FileResults) => number) =>
    all.reduce((total, [, results]) => total + count(results), 0)
  const flaky = all.flatMap(([file, results]) =>
    results.flaky.map((name) => `Flaky: ${file} > ${name}\n`),
  )
  const failed = unhandled + sum((results) => results.failed.length)
  const skipped = sum((results) => results.skipped)
  const tail = skipped > 0 ? `, ${skipped} skipped` : ''
  return `\n${flaky.join('')}Tests: ${sum(({ passed }) => passed)} passed, ${failed} failed${tail}\n`
}
