import { describeFaults } from './fault-table.ts'
import { videoScenarios } from './scenarios.ts'

describeFaults(videoScenarios)
