import { readOptions, wholeOption } from '../read-options.ts'

export type BacklogSettings = { jobs: number; accounts: number; rounds: number; seconds: number }

const numbers = {
  jobs: { fallback: 10_000, min: 100, max: 200_000 },
  accounts: { fallback: 50, min: 2, max: 10_000 },
  rounds: { fallback: 60, min: 5, max: 1000 },
  seconds: { fallback: 25, min: 5, max: 600 },
} as const

export const backlogHelp = `Usage: npm run bench -- backlog [options]

Lets the jobs of many accounts wait for one slot: what they cost while nothing moves, how soon a slot that falls free goes to
the next one and to whom, and how soon that works again after everything was killed. The media worker is a stand-in that only
takes jobs and ends them. Takes about two minutes.

  --jobs N      waiting jobs (default: ${numbers.jobs.fallback})
  --accounts N  accounts that they belong to (default: ${numbers.accounts.fallback})
  --rounds N    slots that fall free, one after another (default: ${numbers.rounds.fallback})
  --seconds N   seconds in which nothing moves (default: ${numbers.seconds.fallback})
`

export function readBacklogSettings(args: readonly string[]): BacklogSettings {
  const text = { type: 'string' } as const
  const values = readOptions(
    args,
    { jobs: text, accounts: text, rounds: text, seconds: text },
    backlogHelp,
  )
  return {
    jobs: wholeOption('jobs', values.jobs, numbers.jobs),
    accounts: wholeOption('accounts', values.accounts, numbers.accounts),
    rounds: wholeOption('rounds', values.rounds, numbers.rounds),
    seconds: wholeOption('seconds', values.seconds, numbers.seconds),
  }
}
