import { check } from './check/run-check.ts'
import { seeds, sourceLanes } from './check/steps.ts'
import { helpOrRefusal } from './machine/help-or-refusal.ts'

const help = `Usage: npm run check

Looks at format, lint and types, runs 200 simulated days at once, and then all tests and campaigns, which take many
minutes. Exit code 0 when all of it is well, 1 when something is not, 130 when stopped.
`

process.exitCode = helpOrRefusal('check', help) ?? (await check([...sourceLanes, [seeds]], 'all'))
