import { readFileSync } from 'node:fs'
import path from 'node:path'
import { validate } from 'dockerfile-utils'
import { root } from '../machine/checkout.ts'

const file = 'containers/Dockerfile'
const faults = validate(readFileSync(path.join(root, file), 'utf8'))
for (const { range, message } of faults) {
  process.stdout.write(`${file}:${range.start.line + 1}: ${message}\n`)
}
process.exitCode = faults.length > 0 ? 1 : 0
