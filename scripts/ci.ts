import { check } from './check/run-check.ts'
import { deploySteps, programs, seeds, sourceLanes } from './check/steps.ts'

const [lint, others] = sourceLanes
const lanes = [lint, [...others, ...deploySteps], [programs], [seeds]]
process.exitCode = await check(lanes, 'tests')
