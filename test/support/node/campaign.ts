import { it } from 'vitest'
import { campaignTag } from '../../../scripts/test/suites.ts'

/** A test that takes long because it looks everywhere: `npm test` leaves it to `npm run campaigns`. */
export function campaign(title: string, run: () => Promise<void>): void {
  it(title, { tags: [campaignTag] }, run)
}

/** The tags of one of many cases: `npm test` runs the first few, and `npm run campaigns` those after them. */
export function campaignAfter(quickCases: number, index: number): string[] {
  return index < quickCases ? [] : [campaignTag]
}
