import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packClient } from '../../scripts/client/pack-client.ts'
import { binaries } from '../../scripts/machine/checkout.ts'
import { campaign, campaignAfter } from '../support/node/campaign.ts'
import { directoryForAll } from '../support/node/directories.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { HookReceiver } from '../support/node/hook-receiver.ts'
import { aLargeClip } from '../support/node/large-clip.ts'
import type { RunningService } from '../support/node/service.ts'
import { sharedService } from '../support/node/shared-service.ts'

const run = promisify(execFile)

const project = directoryForAll()
let tarball: ArrayBuffer
let service: RunningService

beforeAll(async () => {
  service = await sharedService()
  const served = await fetch(new URL('/client/spool-video.tgz', service.dev.baseUrl))
  expect([served.status, served.headers.get('Content-Type')]).toEqual([200, 'application/gzip'])
  tarball = await served.arrayBuffer()
  await writeFile(path.join(project, 'served.tgz'), new Uint8Array(tarball))
  await writeFile(path.join(project, 'package.json'), '{ "type": "module", "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', './served.tgz'], {
    cwd: project,
  })
})

async function write(name: string, text: string): Promise<string> {
  const file = path.join(project, name)
  await writeFile(file, text)
  return file
}

describe('the package that the service serves, installed', () => {
  it('has the same bytes each time it is made', async () => {
    const again = path.join(project, 'again.tgz')
    await packClient(again)
    expect((await readFile(again)).equals(new Uint8Array(tarball))).toBe(true)
  })

  it('has nothing that publint complains about', async () => {
    const { messages } = await publint({ pack: { tarball }, strict: true })
    expect(messages).toEqual([])
  })

  it('has types that every way of importing it finds', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
    if (!analysis.types) throw new Error('no types were found')
    // CommonJS gets it with import() or, from Node 22 on, with require(): there is one build.
    const found = analysis.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')
    expect(found).toEqual([])
  })

  campaign('tells a strict program the fields of requests and answers', async () => {
    await write(
      'main.ts',
      `import { Spool, unwrapWebhook, type Video } from 'spool-video'
       const spool = new Spool({ apiKey: 'a', baseUrl: 'http://127.0.0.1' })
       const { videoId } = await spool.videos.upload('a.mp4', { aspectRatio: '9:16', preset: undefined })
       const video: Video = await spool.videos.wait(videoId)
       export const link: string | undefined = video.finalVideoUrl
       // @ts-expect-error: no such shape
       await spool.videos.create({ fileUrl: 'a', aspectRatio: '2:1' })
       const event = await unwrapWebhook('', new Headers(), '')
       export const told: string = event.type === 'webhook.test' ? event.data.message
         : event.type === 'batch.ended' ? event.data.batchId : event.data.videoId
      `,
    )
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit']
    const shape = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom']
    const { stdout } = await run(path.join(binaries, 'tsc'), [...strict, ...shape, 'main.ts'], {
      cwd: project,
    }).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })
})

/** What a new user writes, with files of every kind; prints what came of it. */
const program = `
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { ApiError, Spool, VideoFailedError } from 'spool-video'

const [small, large, webhookUrl] = process.argv.slice(2)
const spool = new Spool()
const sent = []
const uploaded = await spool.videos.upload(
  large,
  { videoName: 'large', outputFormat: 'mov', metadata: { order: 1 }, webhookUrl },
  { onProgress: ({ sentBytes }) => sent.push(sentBytes) },
)
const percents = []
const video = await spool.videos.wait(uploaded.videoId, {
  onProgress: ({ progressPercent }) => percents.push(progressPercent),
})
const streamed = await spool.videos.upload(createReadStream(small), { rotate: 90, elements: [] }, { fileName: 'Ü "1".mp4' })
const form = await spool.videos.wait(streamed.videoId)
const { size } = await stat(small)
const parts = await spool.videos.upload(createReadStream(small), {}, { sizeInBytes: size })
await spool.videos.wait(parts.videoId)
// The receiver of webhooks answers, but with no video.
const missing = await spool.videos.create({ fileUrl: new URL('/nothing.mp4', webhookUrl).href })
const failure = await spool.videos.wait(missing.videoId).catch((error) => error)
const refusal = await spool.videos.create({ fileUrl: 'x', rotate: 1 }).catch((error) => error)
const names = []
for await (const { videoName } of spool.videos.list({ limit: 2 })) names.push(videoName)
await spool.presets.put('mine', { fields: { rotate: 90 } })
const preset = await spool.presets.get('mine')
const key = await spool.keys.create({ name: 'reader', scopes: ['videos:read'] })
await spool.keys.revoke(key.keyId)
const { secret } = await spool.webhooks.secret()
console.log(JSON.stringify({
  sent, percents, secret, video, form, names, preset, usage: await spool.usage.get(),
  job: await spool.jobs.ofVideo(video.videoId),
  failed: [failure instanceof VideoFailedError, failure.reason],
  refused: [refusal instanceof ApiError, refusal.status, refusal.code, refusal.faults.map(({ path }) => path)],
}))
`

type Printed = {
  sent: number[]
  percents: number[]
  secret: string
  video: Record<string, unknown>
  form: Record<string, unknown>
} & Record<string, unknown>

type Video = { videoId: string; status: string }

type Unwrap = (body: string, headers: Record<string, string>, secret: string) => Promise<unknown>

describe('a program that uses the package', () => {
  let hooks: HookReceiver
  beforeAll(async () => {
    hooks = await HookReceiver.start(0, [500])
  })
  afterAll(async () => {
    await hooks.close()
  })

  // The Node of this project, and the one of the machine, which may be older.
  const nodes = [process.execPath, '/usr/bin/node'].filter((node) => existsSync(node))
  for (const [i, node] of nodes.entries()) {
    const title = `sends files, waits, and handles what goes wrong, on ${node}`
    it(title, { tags: campaignAfter(1, i) }, async () => {
      const large = await write('large.mp4', '')
      await writeFile(large, await aLargeClip())
      const small = await makeVideo({ seconds: 1 })
      const main = await write('main.mjs', program)
      const env = {
        PATH: process.env['PATH'],
        SPOOL_API_KEY: service.dev.apiKey,
        SPOOL_BASE_URL: service.dev.baseUrl,
      }
      const { stdout } = await run(node, [main, small, large, hooks.url('/hook')], {
        cwd: project,
        env,
      })
      const printed = JSON.parse(stdout) as Printed
      expect(printed.sent[0]).toBe(0)
      expect(printed.sent).toHaveLength(4)
      expect(printed.percents.at(-1)).toBe(100)
      expect(printed.video).toMatchObject({
        status: 'succeeded',
        videoName: 'large',
        metadata: { order: 1 },
      })
      expect(printed.form).toMatchObject({
        status: 'succeeded',
        rotate: 90,
        videoMetadata: { width: 120 },
      })
      expect(printed).toMatchObject({
        failed: [true, 'source_not_media'],
        refused: [true, 400, 'ValidationError', ['fileUrl', 'rotate']],
        preset: { name: 'mine', fields: { rotate: 90 } },
        job: { videoId: printed.video['videoId'] },
      })
      expect((await fetch(String(printed.video['finalVideoUrl']))).status).toBe(200)
    })
  }

  it('lets an agent send a file, make a video of it and wait for that, over stdin and stdout', async () => {
    const agent = new Client({ name: 'test', version: '1' })
    const command = path.join(project, 'node_modules/.bin/spool')
    const env = {
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
      SPOOL_API_KEY: service.dev.apiKey,
      SPOOL_BASE_URL: service.dev.baseUrl,
    }
    await agent.connect(new StdioClientTransport({ command, args: ['mcp'], env }))
    const call = async (name: string, args: Record<string, unknown>) => {
      const { structuredContent } = await agent.callTool({ name, arguments: args })
      return structuredContent as Record<string, unknown>
    }
    const { uploadId } = await call('upload_file', { path: await makeVideo({ seconds: 1 }) })
    const { videoId } = await call('make_video', { uploadId, rotate: 90 })
    const video = await call('get_video', { videoId, waitSeconds: 25 })
    expect(video).toMatchObject({ status: 'succeeded', videoMetadata: { width: 120 } })
    expect((await fetch(String(video['finalVideoUrl']))).status).toBe(200)
    await agent.close()
  })

  it('believes the webhook that the service sent', async () => {
    const installed = path.join(project, 'node_modules/spool-video/dist/index.js')
    const { unwrapWebhook } = (await import(installed)) as { unwrapWebhook: Unwrap }
    const [hook] = hooks.at('/hook')
    if (!hook) throw new Error('no webhook has arrived')
    const event = await unwrapWebhook(hook.body, hook.headers, service.dev.webhookSecret)
    expect(event).toMatchObject({ type: 'video.succeeded', data: { videoName: 'large' } })
  })

  describe('the command line of the package', () => {
    const program = () => path.join(project, 'node_modules/.bin/spool')

    /** With nothing of this machine but the key that `login` keeps. */
    async function spool(words: string[], input = '') {
      const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: path.join(project, 'config') }
      const started = run(program(), words, { cwd: project, env })
      started.child.stdin?.end(input)
      return started.catch((error: { stdout: string; stderr: string; code: number }) => error)
    }

    beforeAll(async () => {
      const login = await spool(['login', '--base-url', service.dev.baseUrl], service.dev.apiKey)
      expect(login.stderr).toContain('Logged in')
    })

    it('makes a video of two files, and saves it with its still where it was told to', async () => {
      await writeFile(path.join(project, 'a.mp4'), await readFile(await makeVideo({ seconds: 1 })))
      await writeFile(path.join(project, 'b.mp4'), await readFile(await makeVideo({ seconds: 1 })))
      const flags = ['--aspect-ratio', '1:1', '--enable-thumbnail', '-o', 'whole.mp4']
      const { stdout, stderr } = await spool(['run', 'a.mp4', 'b.mp4', ...flags])
      expect({ stdout, stderr }).toMatchObject({
        stdout: 'whole.mp4\n',
        stderr: expect.stringMatching(/Uploaded a\.mp4[^]*Rendering[^]*Saved whole\.jpg/) as string,
      })
      expect(existsSync(path.join(project, 'whole.jpg'))).toBe(true)
      const [video] = JSON.parse((await spool(['list', '-n', '1', '--json'])).stdout) as Video[]
      expect(video).toMatchObject({ aspectRatio: '1:1', status: 'succeeded' })
      // The clips were uploads, and no videos of their own.
      expect((await spool(['list'])).stdout).not.toMatch(/ [ab]\.mp4$/m)
      const again = await spool(['download', video?.videoId ?? '', '-o', 'whole.mp4'])
      expect(again).toMatchObject({
        code: 10,
        stderr: expect.stringContaining('--force') as string,
      })
    })

    it('passes events on to a local program, signed like webhooks, from videos without a webhook', async () => {
      const { unwrapWebhook } = (await import(
        path.join(project, 'node_modules/spool-video/dist/index.js')
      )) as { unwrapWebhook: Unwrap }
      const secret = (await spool(['webhooks', 'secret'])).stdout.trim()
      const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: path.join(project, 'config') }
      const words = ['webhooks', 'listen', '--forward', hooks.url('/forwarded')]
      const listening = spawn(program(), words, { cwd: project, env })
      try {
        // It says so once it knows where the events of the future begin.
        await once(createInterface(listening.stderr), 'line')
        const source = hooks.url('/nothing.mp4')
        const { stdout } = await spool(['run', source, '--detach'])
        expect(await spool(['watch', stdout.trim(), '-q'])).toMatchObject({ code: 6 })
        const [line] = (await once(createInterface(listening.stdout), 'line')) as [string]
        expect(line).toMatch(new RegExp(`video\\.failed +${stdout.trim()} .* 200 `))
        const [hook] = hooks.at('/forwarded')
        if (!hook) throw new Error('nothing was forwarded')
        const event = await unwrapWebhook(hook.body, hook.headers, secret)
        expect(event).toMatchObject({ type: 'video.failed', data: { videoId: stdout.trim() } })
      } finally {
        listening.kill('SIGINT')
      }
      expect(await once(listening, 'exit')).toEqual([130, null])
    })
  })
})
