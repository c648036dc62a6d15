import { checkThenTest } from './check/run-steps.ts'
import { deploySteps, sourceSteps, testStep } from './check/steps.ts'

process.exitCode = await checkThenTest([...sourceSteps, ...deploySteps], testStep)
