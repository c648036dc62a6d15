import { writePage } from './docs/fill-page.ts'
import { settingsTexts } from './docs/settings-tables.ts'
import { exitCodeOf } from './machine/stop-with-message.ts'

process.exit(
  await exitCodeOf(async () => {
    await writePage('docs/configuration.md', settingsTexts())
    process.stdout.write('docs/configuration.md says what worker/contract/settings says.\n')
    return 0
  }),
)
