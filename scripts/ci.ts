import { check } from './check/run-check.ts'
import { deploySteps, sourceLanes } from './check/steps.ts'

const [lint, others] = sourceLanes
process.exitCode = await check([lint, [...others, ...deploySteps]])
