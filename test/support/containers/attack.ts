import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { ProcessResult } from '../../../containers/ffmpeg/process/run-process.ts'
import { aFolder } from './tool-context.ts'

const secret = 'a-secret-that-no-ffmpeg-may-know'

type Attack = {
  /** What a program tries that stands in the place of ffmpeg, as a script of bash. */
  readonly script: string
  /** Whether what the program said holds the secret. */
  tells(said: string): boolean
  /** Fails unless the program did its work in this folder, and nothing else. */
  expectHarmless(folder: string, said: string, result: ProcessResult): Promise<void>
}

/** On a secret in a file, one in the environment of a process, both of this user, and on a port that listens. */
export async function anAttack(user = process.getuid?.() ?? 0): Promise<Attack> {
  const data = await aFolder()
  const secretFile = path.join(data, 'secrets.json')
  await writeFile(secretFile, secret, { mode: 0o600 })
  await chown(data, user, user)
  await chown(secretFile, user, user)
  const keeper = await aKeeper(user)
  const listener = await aListener()
  return {
    script: `
      cat /proc/*/environ 2>&1
      cat ${secretFile} 2>&1
      head -c 100000 /proc/${keeper.pid}/mem 2>&1
      echo x > ${data}/written
      ln -s ${secretFile} out.mp4
      ln ${secretFile} out.mov
      mkfifo pipe
      echo replaced > in0
      rm -f in0
      kill -9 ${keeper.pid}
      exec 3<>/dev/tcp/127.0.0.1/${listener.port} && echo connected
      cp /bin/true program
      echo result > result
      (setsid sleep 601 &)
      echo done`,
    tells: (said) => said.includes(secret),
    async expectHarmless(folder, said, result) {
      expect(result).toMatchObject({ exitCode: 0, termination: undefined })
      expect(said).toMatch(/done\n$/)
      expect(said + result.stderrTail).not.toContain(secret)
      expect(said).not.toContain('connected')
      expect(listener.connections()).toBe(0)
      expect(await readdir(data)).toEqual(['secrets.json'])
      const entries = await readdir(folder, { withFileTypes: true })
      expect(entries.filter((entry) => !entry.isFile())).toEqual([])
      expect(await readFile(path.join(folder, 'result'), 'utf8')).toBe('result\n')
      expect(keeper.exitCode ?? keeper.signalCode).toBeNull()
    },
  }
}

/** Like the process that started the media worker: its environment holds a secret. */
async function aKeeper(user: number) {
  const env = { ...process.env, OPENAI_API_KEY: secret }
  const child = spawn('sleep', ['600'], { env, uid: user, gid: user })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  return child
}

async function aListener() {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return { port: address.port, connections: () => connections }
}
