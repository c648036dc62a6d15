import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mediaSecretNames } from '../../../worker/contract/settings/table.ts'
import { takeSecrets } from '../../../containers/settings/take-secrets.ts'
import { aFolder } from '../../support/containers/tool-context.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const program = `
  import { takeSecrets } from ${JSON.stringify(path.join(root, 'containers/settings/take-secrets.ts'))}
  try { console.log(JSON.stringify(takeSecrets(process.env))) } catch (error) { console.log(error.message) }`

/** Returns the settings of a process that receives these secrets. */
async function taken(secrets: string): Promise<string> {
  const child = spawn(
    path.join(root, 'node_modules/.bin/node'),
    ['--input-type=module', '-e', program],
    {
      env: { PATH: process.env['PATH'], MEDIA_SECRETS_FD: '3', MEDIA_SLOTS: '2' },
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    },
  )
  const channel = child.stdio[3]
  if (channel && 'end' in channel) channel.end(secrets)
  if (!child.stdout) throw new Error('Nothing to read from')
  return text(child.stdout)
}

describe('takeSecrets', () => {
  it('adds the content of the descriptor to the environment', async () => {
    const settings = JSON.parse(await taken('MEDIA_WORKER_TOKEN=a=b\nOPENAI_API_KEY=\n')) as unknown
    expect(settings).toMatchObject({
      MEDIA_SLOTS: '2',
      MEDIA_WORKER_TOKEN: 'a=b',
      OPENAI_API_KEY: '',
    })
  })

  it('names the line that it does not understand, but never shows its content', async () => {
    const said = await taken('MEDIA_WORKER_TOKEN=x\nSECRET\n')
    expect(said).toMatch(/^MEDIA_SECRETS_FD: line 2 is not one of MEDIA_WORKER_TOKEN/)
    expect(said).not.toContain('SECRET\n')
  })

  it('does not change an environment without a descriptor, and refuses an invalid descriptor', () => {
    const env = { MEDIA_WORKER_TOKEN: 't' }
    expect(takeSecrets(env)).toEqual(env)
    expect(() => takeSecrets({ MEDIA_SECRETS_FD: '0' })).toThrow('must be from 3 to 9')
    expect(() => takeSecrets({ MEDIA_SECRETS_FD: '9' })).toThrow('descriptor 9 cannot be read')
  })
})

it('containers/image/entrypoint.sh leaves no secret in any environment, but gives the media worker all of them', async () => {
  const folder = await aFolder()
  // Replaces tini, which runs the command after the dashes.
  await writeFile(path.join(folder, 'tini'), '#!/bin/sh\nshift\n"$@" &\nwait\n')
  await chmod(path.join(folder, 'tini'), 0o755)
  const keys = mediaSecretNames
    .filter((name) => name !== 'MEDIA_WORKER_TOKEN')
    .map((name, i) => [name, `sk-${i}`] as const)
  const asked = [path.join(root, 'node_modules/.bin/node'), '--input-type=module', '-e']
  const child = spawn(
    'sh',
    ['containers/image/entrypoint.sh', ...asked, `${program}\nsetInterval(() => {}, 1000)`],
    {
      cwd: root,
      detached: true,
      env: {
        PATH: `${folder}:${process.env['PATH']}`,
        MEDIA_WORKER_TOKEN: 'token-$HOME-`id`',
        ...Object.fromEntries(keys),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'))
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  expect(JSON.parse(chunk.toString())).toMatchObject({
    MEDIA_WORKER_TOKEN: 'token-$HOME-`id`',
    ...Object.fromEntries(keys),
  })
  const environment = await readFile(`/proc/${child.pid}/environ`, 'utf8')
  expect(environment).toContain('MEDIA_SECRETS_FD=3')
  expect(environment).not.toMatch(/token-|sk-/)
})
