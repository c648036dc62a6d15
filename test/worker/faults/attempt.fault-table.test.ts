import { describeFaults } from './fault-table.ts'
import { attemptScenarios } from './scenarios.ts'

describeFaults(attemptScenarios)
