import { checkThenTest } from './check/run-steps.ts'
import { sourceSteps, testStep } from './check/steps.ts'

process.exitCode = await checkThenTest(sourceSteps, testStep)
