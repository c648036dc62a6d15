import { homedir } from 'node:os'
import { main } from './main.ts'
import { exitCodes } from './session/exit-code.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const { env, platform, stdin, stdout, stderr } = process

// `spool list | head` ends early on purpose, so there is nothing to complain about.
for (const stream of [stdout, stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.brokenPipe : exitCodes.internal)
  })
}

const exitCode = await main(process.argv.slice(2), {
  env,
  platform,
  homeFolder: homedir(),
  stdin,
  stdout,
  stderr,
  now: () => Date.now(),
  onInterrupt,
})
// Once the program is stopped, nobody waits for what is still under way.
if (exitCode === exitCodes.interrupted) process.exit(exitCode)
process.exitCode = exitCode

function onInterrupt(listener: (signal: (typeof signals)[number]) => void): () => void {
  let count = 0
  const onSignal = (signal: NodeJS.Signals) => {
    count++
    // A second signal means not to wait for anything.
    if (count > 1) process.exit(exitCodes.interrupted)
    for (const one of signals) if (one === signal) listener(one)
  }
  for (const signal of signals) process.on(signal, onSignal)
  return () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
}
