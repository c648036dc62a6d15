import { rmSync } from 'node:fs'
import path from 'node:path'
import { bundleClient, declareClient } from './client/build-client.ts'
import { clientFolder, generatedFiles } from './client/generated-files.ts'
import { writeFileAtomically } from './machine/write-file.ts'

for (const [file, text] of Object.entries(await generatedFiles())) {
  writeFileAtomically(path.join(clientFolder, file), text, 0o644)
}
rmSync(path.join(clientFolder, 'dist'), { recursive: true, force: true })
await bundleClient()
process.exit(await declareClient())
