import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fillPage } from './docs/fill-page.ts'
import { settingsTexts } from './docs/settings-tables.ts'
import { root } from './machine/checkout.ts'
import { exitCodeOf } from './machine/stop-with-message.ts'

const file = path.join(root, 'docs/configuration.md')

process.exit(
  await exitCodeOf(async () => {
    const page = await fillPage(readFileSync(file, 'utf8'), settingsTexts(), file)
    writeFileSync(file, page)
    process.stdout.write('docs/configuration.md says what worker/contract/settings says.\n')
    return 0
  }),
)
