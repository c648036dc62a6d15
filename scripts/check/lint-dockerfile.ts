import { readFileSync } from 'node:fs'
import path from 'node:path'
import { validate } from 'dockerfile-utils'
import { root } from '../machine/checkout.ts'

const file = 'containers/Dockerfile'
const faults = validate(readFileSync(path.join(root, file), 'utf8'))
for (const { range, message } of faults) {
  const text = typeof message === 'string' ? message : message.value
  process.stdout.write(`${file}:${range.start.line + 1}: ${text}\n`)
}
process.exitCode = faults.length > 0 ? 1 : 0
