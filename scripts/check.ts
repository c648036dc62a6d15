import { check } from './check/run-check.ts'
import { sourceLanes } from './check/steps.ts'

process.exitCode = await check(sourceLanes)
