import { writePage } from './docs/fill-page.ts'
import { guidesTable } from './docs/guides-table.ts'
import { settingsTexts } from './docs/settings-tables.ts'
import { exitCodeOf } from './machine/stop-with-message.ts'

process.exit(
  await exitCodeOf(async () => {
    await writePage('docs/operators/configuration.md', settingsTexts())
    await writePage('README.md', { guides: guidesTable() })
    process.stdout.write(
      'docs/operators/configuration.md lists the settings as they are, and README.md the guides.\n',
    )
    return 0
  }),
)
