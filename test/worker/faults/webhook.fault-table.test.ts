import { describeFaults } from './fault-table.ts'
import { webhookScenarios } from './scenarios.ts'

describeFaults(webhookScenarios)
