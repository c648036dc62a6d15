import { root } from './machine/checkout.ts'
import { runCommand } from './machine/run-command.ts'
import { exitCodeOf } from './machine/stop-with-message.ts'
import { release } from './release/release.ts'

process.exitCode = await exitCodeOf(async () =>
  release(process.argv.slice(2), {
    root,
    today: new Date().toISOString().slice(0, 10),
    check: async () => runCommand('npm', ['run', '--silent', 'check']),
    say: (line) => process.stdout.write(`${line}\n`),
  }),
)
