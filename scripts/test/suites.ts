/** Marks a test that `npm test` leaves to `npm run campaigns`: `test/support/node/campaign.ts`. */
export const campaignTag = 'campaign'

/** Which tests each suite has, as vitest is told. */
export const suites = {
  tests: [`--tags-filter=!${campaignTag}`],
  campaigns: [`--tags-filter=${campaignTag}`],
  all: [],
} as const satisfies Record<string, readonly string[]>

export type Suite = keyof typeof suites

/** Whether vitest was told to leave this test to the other suite. */
export function isOfOtherSuite(tags: readonly string[], filters: readonly string[] = []): boolean {
  const isCampaign = tags.includes(campaignTag)
  return isCampaign ? filters.includes(`!${campaignTag}`) : filters.includes(campaignTag)
}
