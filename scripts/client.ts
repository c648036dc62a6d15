import { rmSync } from 'node:fs'
import path from 'node:path'
import { bundleClient, clientFolder, declareClient } from './client/build-client.ts'
import { generatedFiles } from './client/generated-files.ts'
import { helpOrRefusal } from './machine/help-or-refusal.ts'
import { writeApiTypes } from './client/write-api-types.ts'
import { writeFileAtomically } from './machine/write-file.ts'

const help = `Usage: npm run client

Builds the client for TypeScript and its command line.

1. Writes the types of the API, the flags of the command line and its version into client/src, from the description
   that the service gives of itself. Run it after a change of the API, and commit the flags and the version; the types
   are written again wherever they are needed.
2. Builds the package in client/dist. Try it with: node client/dist/spool-cli.js --help

Every service serves the package, packed: npm install -g http://127.0.0.1:8787/client/spool-video.tgz
`

process.exit(helpOrRefusal('client', help) ?? (await run()))

async function run(): Promise<number> {
  for (const [file, text] of Object.entries(await generatedFiles())) {
    writeFileAtomically(path.join(clientFolder, file), text, 0o644)
  }
  writeApiTypes()
  rmSync(path.join(clientFolder, 'dist'), { recursive: true, force: true })
  await bundleClient()
  return declareClient()
}
