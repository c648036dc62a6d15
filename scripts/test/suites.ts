/** Marks a test that `npm test` leaves to `npm run campaigns`: `it('…', { tags: 'campaign' }, …)`. */
export const campaignTag = 'campaign'

/** By the command that runs them: which tests, as vitest is told. */
export const suites = {
  tests: `--tags-filter=!${campaignTag}`,
  campaigns: `--tags-filter=${campaignTag}`,
} as const

export type Suite = keyof typeof suites

/** Whether vitest was told to leave this test to the other suite. */
export function isOfOtherSuite(tags: readonly string[], filters: readonly string[] = []): boolean {
  const isCampaign = tags.includes(campaignTag)
  return isCampaign ? filters.includes(`!${campaignTag}`) : filters.includes(campaignTag)
}
