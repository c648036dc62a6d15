import { check } from './check/run-check.ts'
import { deploySteps, programs, sourceLanes } from './check/steps.ts'

const [lint, others] = sourceLanes
process.exitCode = await check([lint, [...others, ...deploySteps], [programs]])
