import { campaignTag } from '../../../scripts/test/suites.ts'

/** The tags of one of many cases: `npm test` runs the first few, and `npm run campaigns` those after them. */
export function campaignAfter(quickCases: number, index: number): string[] {
  return index < quickCases ? [] : [campaignTag]
}
