import { describe, expect, it } from 'vitest'
import { identify } from '../../../../scripts/machine/process-table.ts'
import { Part, type PartPlan } from '../../../../scripts/start/parts/part.ts'

const forever = `setInterval(() => {}, 1000); console.log('ready')`

function aPart(code: string, events: Partial<PartPlan> = {}) {
  const lines: string[] = []
  const deaths: string[] = []
  const waiting: (() => void)[] = []
  const part = new Part(
    {
      name: 'Part',
      command: process.execPath,
      args: ['-e', code],
      cwd: process.cwd(),
      env: { PATH: process.env['PATH'] ?? '' },
      onLine: (line) => {
        lines.push(line)
        for (const check of waiting) check()
      },
      stops: 'leader',
      stopSignal: 'SIGTERM',
      ...events,
    },
    { started: () => undefined, died: (_, how) => deaths.push(how) },
  )
  const untilLines = async (count: number) =>
    new Promise<void>((resolve) => {
      const check = () => lines.length >= count && resolve()
      waiting.push(check)
      check()
    })
  return { part, lines, deaths, untilLines }
}

describe('Part', () => {
  it('starts a program again when it has died, and says how it died', async () => {
    const { part, deaths, untilLines } = aPart(`console.log('lived'); process.exitCode = 3`)
    part.start()
    await untilLines(2)
    await part.stop(60_000)
    expect(deaths[0]).toBe('exit code 3')
  })

  it('gives the secrets to every new process, but not in its environment', async () => {
    const code = `console.log(require('node:fs').readFileSync(3, 'utf8') + process.env.SECRET)`
    const { part, lines, untilLines } = aPart(code, { secrets: 'SECRET=1 ' })
    part.start()
    await untilLines(2)
    await part.stop(60_000)
    expect(lines.slice(0, 2)).toEqual(['SECRET=1 undefined', 'SECRET=1 undefined'])
  })

  it('ends what a dead process left in its group before it starts the next', async () => {
    const code = `
      const { spawn } = require('node:child_process')
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(forever)}], { stdio: 'ignore' })
      child.once('spawn', () => { console.log(child.pid); process.kill(process.pid, 'SIGKILL') })`
    const { part, lines, deaths, untilLines } = aPart(code)
    part.start()
    await untilLines(2)
    expect(identify(Number(lines[0]))).toBeUndefined()
    expect(deaths[0]).toBe('ended by SIGKILL')
    await part.stop(60_000)
    expect(identify(Number(lines.at(-1)))).toBeUndefined()
  })

  it('lets a program end in its own way when it is stopped, and does not start it again', async () => {
    const code = `process.on('SIGTERM', () => { console.log('goodbye'); process.exit(0) }); ${forever}`
    const { part, lines, deaths, untilLines } = aPart(code)
    part.start()
    await untilLines(1)
    await part.stop(60_000)
    await untilLines(2)
    expect(lines).toEqual(['ready', 'goodbye'])
    expect(deaths).toEqual([])
    expect(part.pid).toBeUndefined()
  })

  it('ends a program that does not want to stop', async () => {
    const { part, untilLines } = aPart(`process.on('SIGTERM', () => {}); ${forever}`)
    part.start()
    await untilLines(1)
    const pid = part.pid ?? 0
    await part.stop(1)
    expect(identify(pid)).toBeUndefined()
  })

  it('sweeps after every process', async () => {
    let sweeps = 0
    const sweep = async () => void sweeps++
    const { part, untilLines } = aPart(`console.log('lived')`, { sweep })
    part.start()
    await untilLines(2)
    expect(sweeps).toBeGreaterThanOrEqual(1)
    await part.stop(60_000)
  })

  it('gives a command that cannot be run as the reason', async () => {
    const died = Promise.withResolvers<string>()
    const { part } = aPart('')
    const broken = new Part(
      { ...part.plan, command: '/no/such/program' },
      { started: () => undefined, died: (_, how) => died.resolve(how) },
    )
    broken.start()
    expect(await died.promise).toContain('ENOENT')
    await broken.stop(60_000)
  })
})
