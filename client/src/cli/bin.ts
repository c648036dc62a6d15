import { homedir } from 'node:os'
import { main } from './main.ts'
import { exitCodes } from './session/exit-code.ts'

const { env, platform, stdin, stdout, stderr } = process

// `spool list | head` ends early on purpose, so there is nothing to complain about.
for (const stream of [stdout, stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.brokenPipe : exitCodes.internal)
  })
}

process.exitCode = await main(process.argv.slice(2), {
  env,
  platform,
  homeFolder: homedir(),
  stdin,
  stdout,
  stderr,
  now: () => Date.now(),
  onInterrupt,
})

function onInterrupt(listener: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, listener)
  return () => {
    for (const signal of signals) process.off(signal, listener)
  }
}
