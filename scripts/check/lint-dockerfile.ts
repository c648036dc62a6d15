import { readFileSync } from 'node:fs'
import path from 'node:path'
import { validate } from 'dockerfile-utils'
import { root } from '../machine/checkout.ts'

for (const file of ['containers/Dockerfile', 'self-hosting/Dockerfile']) {
  for (const { range, message } of validate(readFileSync(path.join(root, file), 'utf8'))) {
    const text = typeof message === 'string' ? message : message.value
    process.stdout.write(`${file}:${range.start.line + 1}: ${text}\n`)
    process.exitCode = 1
  }
}
