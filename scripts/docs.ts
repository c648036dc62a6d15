import { writePage } from './docs/fill-page.ts'
import { guidesTable } from './docs/guides-table.ts'
import { settingsTexts } from './docs/settings-tables.ts'
import { helpOrRefusal } from './machine/help-or-refusal.ts'
import { exitCodeOf } from './machine/stop-with-message.ts'

const help = `Usage: npm run docs

Writes the tables of docs/operators/configuration.md from the settings, and that of README.md from the list of guides.
`

process.exit(helpOrRefusal('docs', help) ?? (await exitCodeOf(writePages)))

async function writePages(): Promise<number> {
  await writePage('docs/operators/configuration.md', settingsTexts())
  await writePage('README.md', { guides: guidesTable() })
  process.stdout.write(
    'docs/operators/configuration.md lists the settings as they are, and README.md the guides.\n',
  )
  return 0
}
