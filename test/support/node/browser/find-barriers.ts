import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string; help: string; nodes: { target: string[] }[] }

/** What axe calls serious or critical on the page as it stands: one line for each, with the first place. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated from outside, because the page's policy lets nobody add a script.
  await page.evaluate(axe)
  const { violations, passes } = await page.evaluate<{
    violations: Violation[]
    passes: unknown[]
  }>(`axe.run(document, { resultTypes: ['violations'] })`)
  if (passes.length < 10) throw new Error(`axe looked at next to nothing on ${page.url()}`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes[0]?.target.join(' ') ?? ''})`)
}
