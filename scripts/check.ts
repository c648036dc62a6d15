import { check } from './check/run-check.ts'
import { seeds, sourceLanes } from './check/steps.ts'

process.exitCode = await check([...sourceLanes, [seeds]], 'all')
