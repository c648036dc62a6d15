import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { build, dock } from '../../scripts/containers/engine.ts'
import { markOf } from '../../scripts/containers/container-host.ts'
import { ended, jsonOf, untilStatus, type Json } from '../support/node/api.ts'
import {
  aloneOnEngine,
  enginePatienceMs,
  engineForTests,
  OwnContainers,
  type Container,
} from '../support/node/engine/engine.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { poll } from '../support/node/poll.ts'
import { aPlace, removePlace, RunningService, type Place } from '../support/node/service.ts'

const settings = { LEASE_SECONDS: '10', RATE_LIMITS: '10000/60' }
const launch = { script: 'scripts/containers.ts' }

let missing: string | undefined
let place: Place
let service: RunningService
let containers: OwnContainers
let short: string
let long: string
/** It renders until it is stopped. */
let longest: string

beforeAll(async () => aloneOnEngine(prepare), enginePatienceMs)

async function prepare(): Promise<void> {
  const found = await engineForTests()
  if ('missing' in found) {
    missing = found.missing
    return
  }
  place = await aPlace()
  short = await makeVideo({ seconds: 1 })
  long = await makeVideo({ seconds: 15, size: '1280x720', fps: 30 })
  longest = await makeVideo({ seconds: 90, size: '1280x720', fps: 30 })
  service = await RunningService.start(place, settings, launch)
  containers = new OwnContainers(found.engine, markOf(place.dataDir))
}

afterAll(async () => {
  if (missing !== undefined) return
  await service.stop()
  await removePlace(place)
})

beforeEach(({ skip }) => {
  skip(missing !== undefined, missing)
})

type Created = { videoId: string; jobId: string }

async function post(file: string): Promise<Created> {
  const form = new FormData()
  form.set('file', new File([await readFile(file)], 'talk.mp4', { type: 'video/mp4' }))
  form.set('aspectRatio', '9:16')
  form.set('reuse', 'false')
  const answer = await service.request('/v1/videos/upload', { method: 'POST', body: form })
  expect(answer.status).toBe(202)
  return (await jsonOf(answer)) as Created
}

async function attemptsOf({ jobId }: Created): Promise<Json[]> {
  const job = await jsonOf(await service.request(`/v1/jobs/${jobId}`))
  return job['attempts'] as Json[]
}

/** A long video whose container renders. */
async function rendering(file = long): Promise<{ created: Created; container: Container }> {
  const created = await post(file)
  await poll('the rendering', async () => {
    const video = await jsonOf(await service.request(`/v1/videos/${created.videoId}`))
    return video['phase'] === 'rendering' ? true : undefined
  })
  const [container] = await containers.untilJobs(1)
  if (!container) throw new Error('no container')
  return { created, container }
}

async function succeeds({ videoId }: Created): Promise<void> {
  expect(await untilStatus(service, videoId, ended)).toMatchObject({ status: 'succeeded' })
  await containers.untilJobs(0)
}

const keep = 'spool-kept:campaign'

/** The image of jobs, which gets a second name: what is done to the first can be undone. */
async function keptImage(): Promise<string> {
  const probe = await post(short)
  const [job] = await containers.untilJobs(1)
  await succeeds(probe)
  const image = job?.image ?? ''
  containers.dock('tag', image, keep)
  return image
}

async function cancel({ videoId }: Created): Promise<void> {
  const answer = await service.request(`/v1/videos/${videoId}/cancel`, { method: 'POST' })
  expect(answer.status).toBe(200)
}

async function workerLog(): Promise<string> {
  return readFile(path.join(place.dataDir, 'logs/worker.log'), 'utf8')
}

/** What a container says until it is removed. */
function followLog({ id }: Container): { lines: string[]; process: ChildProcess } {
  const { docker, host } = containers.engine
  const env = { ...process.env, DOCKER_HOST: host }
  const follower = spawn(docker, ['logs', '--follow', id], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  createInterface(follower.stdout).on('line', (line) => lines.push(line))
  return { lines, process: follower }
}

describe('a job in a container of its own', { tags: 'campaign' }, () => {
  it('starts beside others, ends with its outcome in its log, and leaves no trace of an end that was wanted', async () => {
    const created = await Promise.all([post(long), post(short), post(short)])
    const jobs = await containers.untilJobs(3)
    const log = followLog(jobs[0] as Container)
    for (const one of created) {
      expect(await untilStatus(service, one.videoId, ended)).toMatchObject({ status: 'succeeded' })
    }
    await containers.untilJobs(0)
    await poll('the end of the log', async () => log.process.exitCode ?? undefined)
    expect(log.lines.join('\n')).toContain('"message":"Job ended"')
    // A busy engine may fail to start a container; the job has another one then, and that is said.
    const stopped = (await workerLog())
      .split('\n')
      .filter((line) => line.includes('container stopped') && !line.includes('failed to start'))
    expect(stopped).toEqual([])
  })

  it('is confined, and no process of its container has a secret in its environment', async () => {
    const { created, container } = await rendering()
    const said = containers.dock('logs', container.id)
    expect(said).toContain('"message":"ffmpeg is confined"')
    expect(said).toMatch(/"by":"[^"]*landlock[^"]*seccomp/)
    const script =
      'id -un; for p in /proc/[0-9]*; do tr "\\0" "\\n" <$p/environ 2>/dev/null; done | cut -d= -f1 | sort -u'
    const [user, ...names] = containers.dock('exec', container.id, 'sh', '-c', script).split('\n')
    expect(user).toBe('node')
    expect(names).toContain('MEDIA_SLOTS')
    // `docker exec` itself gets the environment of the image and of the platform; the job's processes do not.
    const first = containers.dock('exec', container.id, 'sh', '-c', 'cat /proc/1/environ')
    expect(first).not.toContain('MEDIA_WORKER_TOKEN')
    const mounts = containers.dock('inspect', '--format', '{{len .Mounts}}', container.id)
    expect(mounts).toBe('0')
    await cancel(created)
    await containers.untilJobs(0)
  })

  it('is canceled at once, while its container starts and while it renders', async () => {
    const early = await post(long)
    await poll('a container', async () => (containers.jobs().length > 0 ? true : undefined))
    await cancel(early)
    await containers.untilJobs(0)
    const { created } = await rendering()
    await cancel(created)
    await containers.untilJobs(0)
    for (const { videoId } of [early, created]) {
      expect(await untilStatus(service, videoId, ended)).toMatchObject({ status: 'canceled' })
    }
  })

  it('runs again when its container is killed, and its first attempt says how that ended', async () => {
    const { created, container } = await rendering()
    containers.dock('kill', container.id)
    await succeeds(created)
    const [first, second] = await attemptsOf(created)
    expect(first).toMatchObject({ outcome: 'lost' })
    expect(first?.['fault']).toContain('exit code: 137')
    expect(second).toMatchObject({ outcome: 'succeeded', fault: null })
    expect(await workerLog()).toContain('container stopped')
  })

  it('runs again when its container is frozen', async () => {
    const { created, container } = await rendering()
    containers.dock('pause', container.id)
    await succeeds(created)
    expect(await attemptsOf(created)).toMatchObject([{ outcome: 'lost' }, { outcome: 'succeeded' }])
  })

  it('is handed back by a container that is told twice to stop, which costs no attempt', async () => {
    const { created, container } = await rendering(longest)
    containers.dock('kill', '--signal', 'TERM', container.id)
    await poll('the first signal to be heard', async () =>
      containers.dock('logs', container.id).includes('Media worker stops') ? true : undefined,
    )
    const attempts = await poll('the next attempt', async () => {
      // Two signals within half a second count as one. The container may be gone by now.
      dock(containers.engine, 'kill', '--signal', 'TERM', container.id)
      const found = await attemptsOf(created)
      return found.length > 1 ? found : undefined
    })
    expect(attempts).toMatchObject([{ outcome: 'released' }, { attempt: 1 }])
    await cancel(created)
    await containers.untilJobs(0)
  })

  it('waits for an image that is missing, which /health tells, and runs when it is back', async () => {
    const image = await keptImage()
    containers.dock('rmi', image)
    try {
      const created = await post(short)
      const health = await poll('/health to tell', async () => {
        const answer = await service.request('/health')
        return answer.status === 503 ? jsonOf(answer) : undefined
      })
      expect(JSON.stringify(health)).toMatch(
        /containers cannot start: refused \d+ times in a row: \w/,
      )
      expect(service.output.join('\n')).toContain(`No such image available named ${image}`)
      containers.dock('tag', keep, image)
      await succeeds(created)
      expect(await attemptsOf(created)).toHaveLength(1)
      await poll('/health to be well', async () =>
        (await service.request('/health')).ok ? true : undefined,
      )
    } finally {
      containers.dock('tag', keep, image)
      containers.dock('rmi', keep)
    }
  })

  it('waits while its image speaks another protocol, and runs with one that speaks that of the service', async () => {
    const image = await keptImage()
    const file = 'worker/contract/job/media-job.ts'
    const text = `FROM ${keep}\nRUN sed -i 's/protocolVersion = /protocolVersion = 9/' ${file}`
    try {
      const asRoot = text.replace('RUN', 'USER root\nRUN') + '\nUSER node'
      build(containers.engine, { tag: image, context: import.meta.dirname, text: asRoot })
      const created = await post(short)
      await poll('a refusal', async () =>
        (await workerLog()).includes('media worker refused a job') ? true : undefined,
      )
      expect(await attemptsOf(created)).toEqual([])
      containers.dock('tag', keep, image)
      await succeeds(created)
      expect(await attemptsOf(created)).toMatchObject([{ attempt: 1, outcome: 'succeeded' }])
    } finally {
      containers.dock('tag', keep, image)
      containers.dock('rmi', keep)
    }
  })

  it('goes on when all of the service was killed and is started again', async () => {
    const { created } = await rendering()
    for (const pid of [service.dev.pid, -service.dev.workerPid]) process.kill(pid, 'SIGKILL')
    await poll('the end of the service', async () => {
      const answers = await service.request('/health').catch(() => undefined)
      return answers === undefined ? true : undefined
    })
    service = await RunningService.start(place, settings, launch)
    await succeeds(created)
  })

  it('leaves no container, sidecar or volume when the service stops in the middle of it', async () => {
    const { created } = await rendering()
    const volumes = containers.dock('volume', 'ls', '--quiet')
    await service.stop()
    expect(containers.all()).toEqual([])
    expect(containers.dock('volume', 'ls', '--quiet')).toBe(volumes)
    service = await RunningService.start(place, settings, launch)
    await succeeds(created)
  })
})
