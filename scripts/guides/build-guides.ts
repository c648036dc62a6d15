import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { builtNameOf, guideFolders } from '../../worker/reference/guides/guide-list.ts'
import { root } from '../machine/checkout.ts'
import { writeFileAtomically } from '../machine/write-file.ts'
import { builtGuides } from './built-guides.ts'
import { describeForModels, everythingForModels } from './for-models.ts'
import { readGuides } from './read-guides.ts'
import { searchRecords } from './search-records.ts'

/** Makes everything that is served below /docs from the Markdown of the repository. */
export function buildGuides(folder: string = builtGuides): void {
  const guides = readGuides()
  const files = new Map<string, string>([
    ['search.json', JSON.stringify(searchRecords(guides))],
    ['llms.txt', describeForModels(guides)],
    ['llms-full.txt', everythingForModels(guides)],
  ])
  for (const { entry, guide, markdown } of guides) {
    files.set(`${builtNameOf(entry.file)}.json`, JSON.stringify(guide))
    files.set(`${builtNameOf(entry.file)}.md`, markdown)
  }
  publish(files, folder)
}

/** Writes only what has changed, each file as a whole: another process may serve or bundle the same at this moment. */
function publish(files: ReadonlyMap<string, string>, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of files) {
    const file = path.join(folder, name)
    if (readIfThere(file) !== text) writeFileAtomically(file, text, 0o644)
  }
  for (const name of guideFolders) {
    const source = path.join(root, 'docs', name)
    // git keeps no empty folder, so a clone of a state without such files has none.
    if (existsSync(source)) cpSync(source, path.join(folder, name), { recursive: true })
  }
  for (const name of readdirSync(folder)) {
    if (/\.(json|md)$/.test(name) && !files.has(name))
      rmSync(path.join(folder, name), { force: true })
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
