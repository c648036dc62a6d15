import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { loads, replay } from '../bench/model/loads.ts'
import { dayTable, modelTexts } from '../bench/model/texts.ts'
import { fillPage } from './docs/fill-page.ts'
import { settingsTexts } from './docs/settings-tables.ts'
import { root } from './machine/checkout.ts'
import { exitCodeOf } from './machine/stop-with-message.ts'

process.exit(
  await exitCodeOf(async () => {
    await write('docs/configuration.md', settingsTexts(), 'worker/contract/settings')
    const days = { 'model: day': dayTable(loads.map(replay)) }
    await write('docs/scale.md', { ...modelTexts(), ...days }, 'bench/model')
    return 0
  }),
)

async function write(page: string, texts: Record<string, string>, source: string): Promise<void> {
  const file = path.join(root, page)
  writeFileSync(file, await fillPage(readFileSync(file, 'utf8'), texts, file))
  process.stdout.write(`${page} says what ${source} says.\n`)
}
