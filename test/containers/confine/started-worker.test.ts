import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findConfinement } from '../../../containers/confine/find-confinement.ts'
import { eventually } from '../../support/node/eventually.ts'
import { startMediaWorker } from '../../support/containers/media-worker.ts'
import { aFolder } from '../../support/containers/tool-context.ts'

const root = path.resolve(import.meta.dirname, '../../..')

describe('a media worker', () => {
  it('logs once how ffmpeg is confined: with every layer that this system allows', async () => {
    const worker = await startMediaWorker()
    onTestFinished(worker.stop)
    const search = { folder: await aFolder(), hidden: [], programs: ['ffmpeg', 'ffprobe'] }
    const { layers } = await findConfinement(search)
    const said = worker.logLines.filter((line) => line.includes('ffmpeg is confined'))
    expect(said).toHaveLength(1)
    expect(JSON.parse(said[0] ?? '')).toMatchObject({ level: 'info', by: layers.join(', ') })
    expect(layers.includes('user')).toBe(process.getuid?.() === 0)
  })

  it('takes its confined programs with it when it is killed', async () => {
    const seconds = '86399.5'
    const script = `
      import { findConfinement } from './containers/confine/find-confinement.ts'
      import { runProcess } from './containers/ffmpeg/process/run-process.ts'
      const folder = ${JSON.stringify(await aFolder())}
      const confinement = await findConfinement({ folder, hidden: [], programs: ['ffmpeg'] })
      await runProcess({
        program: 'sh', args: ['-c', 'echo up; sleep ${seconds}; echo'], cwd: folder, confinement,
        signal: new AbortController().signal, limits: { memoryBytes: 1e9 },
        onStdout: (chunk) => { console.log(chunk); return true },
      })`
    const node = path.join(root, 'node_modules/.bin/node')
    const options = {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'],
    }
    const child = spawn(node, ['--input-type=module', '-e', script], options)
    await once(child.stdout, 'data')
    await eventually(async () => expect(await running(seconds)).toHaveLength(1))
    child.kill('SIGKILL')
    await eventually(async () => expect(await running(seconds)).toEqual([]))
  })
})

async function running(seconds: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    pids.map(async (pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.filter((line) => line === `sleep\0${seconds}\0`)
}
