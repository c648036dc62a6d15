import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildable, baseOf } from '../../scripts/containers/base-image.ts'
import { build, dock, type Engine } from '../../scripts/containers/engine.ts'
import { installWithApt } from '../../scripts/machine/install-with-apt.ts'
import { aloneOnEngine, enginePatienceMs, engineForTests } from '../support/node/engine/engine.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { poll } from '../support/node/poll.ts'

const root = path.join(import.meta.dirname, '../..')
const compose = '/usr/bin/docker-compose'
const images = { spool: 'spool-self:campaign', media: 'spool-media:campaign', caddy: 'caddy:2' }
const project = 'spool-campaign'
/** Another project has a network of its own, as another machine has. */
const second = 'spool-campaign-media'
const reportPort = 18_787
const token = 'a-token-of-the-campaign-with-32-characters'

let missing: string | undefined
let engine: Engine
let folder: string
let key: string

beforeAll(async () => {
  await aloneOnEngine(prepare)
  if (missing !== undefined) return
  composed({}, 'up', '--no-build', '--detach', 'spool', 'caddy')
  await untilHealthy()
  key = keyOf(composed({}, 'exec', '-T', 'spool', 'cat', '/var/lib/spool/dev.json'))
}, enginePatienceMs)

async function prepare(): Promise<void> {
  const found = await engineForTests()
  if ('missing' in found) {
    missing = found.missing
    return
  }
  ;({ engine } = found)
  folder = await mkdtemp(path.join(tmpdir(), 'spool-compose-'))
  if (!existsSync(compose)) {
    const lacking =
      'docker-compose is missing; the campaign tries self-hosting/compose.yaml with it.'
    const how = { package: 'docker-compose', missing: lacking, brew: '', otherwise: '' }
    installWithApt(how, () => undefined)
  }
  await buildImages()
  await writeFile(path.join(folder, `${project}.yaml`), overrideOfService(engine.gateway))
  await writeFile(path.join(folder, `${second}.yaml`), overrideOfMediaWorker())
}

afterAll(async () => {
  if (missing !== undefined) return
  composed({}, 'down', '--volumes', '--timeout', '20')
  inProject(second, {}, 'down', '--volumes', '--timeout', '1')
  await rm(folder, { recursive: true })
})

beforeEach(({ skip }) => {
  skip(missing !== undefined, missing)
})

/** The images of the checkout as they are; Caddy from Debian where no registry has it. */
async function buildImages(): Promise<void> {
  const say = (): void => undefined
  for (const [tag, file] of [
    [images.media, 'containers/Dockerfile'],
    [images.spool, 'self-hosting/Dockerfile'],
  ] as const) {
    build(engine, { tag, context: root, text: await buildable(engine, file, say) })
  }
  if (dock(engine, 'image', 'inspect', images.caddy) !== undefined) return
  if (dock(engine, 'pull', '--quiet', images.caddy) !== undefined) return
  const { tag } = baseOf(await readFile(path.join(root, 'containers/Dockerfile'), 'utf8'))
  const text = `FROM ${tag}
RUN apt-get update && apt-get install --yes --no-install-recommends caddy
ENV XDG_DATA_HOME=/data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile"]`
  build(engine, { tag: images.caddy, context: folder, text })
}

function composed(env: Record<string, string>, ...args: readonly string[]): string {
  return inProject(project, env, ...args)
}

function inProject(name: string, env: Record<string, string>, ...args: readonly string[]): string {
  const files = [path.join(root, 'self-hosting/compose.yaml'), path.join(folder, `${name}.yaml`)]
  const { status, stdout, stderr } = spawnSync(
    compose,
    ['--project-name', name, ...files.flatMap((file) => ['--file', file]), ...args],
    {
      encoding: 'utf8',
      env: {
        ...{ ...process.env, DOCKER_HOST: engine.host, SPOOL_HOST: 'localhost' },
        ...{ MEDIA_WORKER_TOKEN: token, MEDIA_ADDRESS: engine.gateway, ...env },
      },
    },
  )
  if (status !== 0) throw new Error(`docker-compose ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}

function overrideOfService(gateway: string): string {
  return `services:
  spool:
    image: ${images.spool}
    environment:
      REPORT_URL: \${REPORT_URL:-}
      LEASE_SECONDS: '10'
    ports:
      - '${gateway}:${reportPort}:8787'
`
}

function overrideOfMediaWorker(): string {
  return `services:
  media:
    image: ${images.media}
networks:
  default:
    ipam:
      config:
        - subnet: 172.30.88.0/24
`
}

function keyOf(devFile: string): string {
  return (JSON.parse(devFile) as { apiKey: string }).apiKey
}

type Asking = { method?: string; body?: FormData }

/** Asks through Caddy, whose certificate for `localhost` nobody has signed. */
async function ask(pathOrLink: string, { method, body }: Asking = {}) {
  const encoded = body && new Response(body)
  const type = encoded?.headers.get('Content-Type')
  const { pathname, search } = new URL(pathOrLink, 'https://localhost')
  return new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
    const asked = request(
      {
        ...{ host: '127.0.0.1', port: 443, servername: 'localhost', path: pathname + search },
        method: method ?? (body ? 'POST' : 'GET'),
        rejectUnauthorized: false,
        headers: {
          Host: 'localhost',
          ...(key ? { Authorization: `Bearer ${key}` } : {}),
          ...(type ? { 'Content-Type': type } : {}),
        },
      },
      (answer) => {
        buffer(answer).then(
          (bytes) => resolve({ status: answer.statusCode ?? 0, body: bytes }),
          reject,
        )
      },
    )
    asked.once('error', reject)
    if (encoded?.body) Readable.fromWeb(encoded.body as never).pipe(asked)
    else asked.end()
  })
}

async function json(pathOrLink: string, asking: Asking = {}): Promise<Record<string, unknown>> {
  return JSON.parse((await ask(pathOrLink, asking)).body.toString()) as Record<string, unknown>
}

async function untilHealthy(): Promise<void> {
  await poll('https://localhost/health', async () => {
    const answer = await ask('/health').catch(() => undefined)
    return answer?.status === 200 ? true : undefined
  })
}

async function post(seconds: number, size: string): Promise<string> {
  const form = new FormData()
  form.set('file', new File([await readFile(await makeVideo({ seconds, size }))], 'talk.mp4'))
  form.set('aspectRatio', '9:16')
  return String((await json('/v1/videos/upload', { body: form }))['videoId'])
}

async function until(videoId: string, is: (video: Record<string, unknown>) => boolean) {
  return poll(`${videoId}`, async () => {
    const video = await json(`/v1/videos/${videoId}`).catch(() => undefined)
    return video && is(video) ? video : undefined
  })
}

const hasEnded = ({ status }: Record<string, unknown>) =>
  ['succeeded', 'failed', 'canceled'].includes(String(status))
const renders = ({ phase }: Record<string, unknown>) => phase === 'rendering'

describe('the images', { tags: 'campaign' }, () => {
  it.for([
    [images.media, 750],
    [images.spool, 1_000],
  ] as const)('%s takes at most %i MB', ([tag, megabytes]) => {
    const bytes = Number(dock(engine, 'image', 'inspect', '--format', '{{.Size}}', tag))
    expect(bytes).toBeGreaterThan(0)
    expect(bytes / 1e6).toBeLessThanOrEqual(megabytes)
  })
})

describe('self-hosting/compose.yaml', { tags: 'campaign' }, () => {
  it('runs a video through https, and keeps it when all containers are removed and made again', async () => {
    const videoId = await post(2, '320x240')
    const video = await until(videoId, hasEnded)
    expect(video).toMatchObject({ status: 'succeeded' })
    const link = String(video['finalVideoUrl'])
    expect(link).toMatch(/^https:\/\/localhost\/files\//)
    const { status, body } = await ask(link)
    expect(status).toBe(200)
    expect(body.subarray(4, 8).toString()).toBe('ftyp')

    composed({}, 'down', '--timeout', '20')
    composed({}, 'up', '--no-build', '--detach', 'spool', 'caddy')
    await untilHealthy()
    expect((await ask(link)).body.equals(body)).toBe(true)
  })

  it('is backed up out of its container, and restored into an empty volume', async () => {
    const video = await until(await post(2, '320x240'), hasEnded)
    const admin = ['spool', 'node', 'scripts/bootstrap.mjs', 'admin']
    composed({}, 'exec', '-T', ...admin, 'backup', '/tmp/backups')
    const [id] = composed({}, 'ps', '--quiet', 'spool').split('\n')
    const copy = path.join(folder, 'backups')
    expect(dock(engine, 'cp', `${id}:/tmp/backups/.`, copy)).toBeDefined()
    expect(spawnSync('chown', ['-R', '1000:1000', copy]).status).toBe(0)
    composed({}, 'down', '--volumes', '--timeout', '20')
    composed(
      {},
      'run',
      '-T',
      '--rm',
      '--volume',
      `${copy}:/backups`,
      ...admin,
      'restore',
      '/backups',
    )
    composed({}, 'up', '--no-build', '--detach', 'spool', 'caddy')
    await untilHealthy()
    expect((await ask(String(video['finalVideoUrl']))).status).toBe(200)
  })

  it('goes on with a rendering in the middle of which the service was stopped', async () => {
    const videoId = await post(15, '1280x720')
    await until(videoId, renders)
    composed({}, 'stop', 'spool')
    const [id] = composed({}, 'ps', '--quiet', 'spool').split('\n')
    expect(dock(engine, 'inspect', '--format', '{{.State.ExitCode}}', id ?? '')).toBe('0')
    composed({}, 'start', 'spool')
    expect(await until(videoId, hasEnded)).toMatchObject({ status: 'succeeded' })
  })

  it('works with a media worker on another network, also when that dies in the middle of a rendering', async () => {
    const { gateway } = engine
    inProject(second, {}, 'up', '--no-build', '--detach', 'media')
    const far = {
      MEDIA_WORKER_URLS: `http://${gateway}:8788`,
      REPORT_URL: `http://${gateway}:${reportPort}`,
    }
    composed(far, 'up', '--no-build', '--detach', 'spool', 'caddy')
    await untilHealthy()
    const videoId = await post(15, '1280x720')
    await until(videoId, renders)
    const [id = ''] = inProject(second, {}, 'ps', '--quiet', 'media').split('\n')
    const kill =
      'for p in /proc/[0-9]*; do grep -aq "main[.]ts" $p/cmdline && kill -9 ${p#/proc/}; done'
    dock(engine, 'exec', '--user', 'root', id, 'sh', '-c', kill)
    expect(await until(videoId, hasEnded)).toMatchObject({ status: 'succeeded' })
    const [job] = (await json(`/v1/jobs?videoId=${videoId}`))['data'] as { attempts: unknown }[]
    expect(job?.attempts).toMatchObject([{ outcome: 'lost' }, { outcome: 'succeeded' }])
  })
})
