import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with one plain line that any tool can read: `Tests: 120 passed, 0 failed`. Before it, by name, the tests that
 * passed at the second try only: a fault to find, not a pass to be glad of.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (test.diagnostic()?.flaky)
          process.stdout.write(`\nFlaky: ${module.relativeModuleId} > ${test.fullName}\n`)
        counts[state === 'pending' ? 'skipped' : state]++
      }
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    process.stdout.write(`\nTests: ${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
  }
}
